"""Phones, host and big screen: pages, sockets, seats.

Imports ``companion`` only; no device and no recogniser is known by name here.
"""
