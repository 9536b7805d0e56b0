"""The companion as an appliance: what stands on a Pi around the service, and what only root may do there.

May import ``companion`` and its neighbours in ``hardware``. What runs as root imports no other package.
"""
