"""The rules, a module a phase, in the order of the rulebook: setup, order, deliveries, lester, reanimate,
refresh, fair, final. ``course`` puts them together. Pure: values in, values out.
"""
