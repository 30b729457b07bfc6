"""The playground's page: what is served to a browser on this machine, and what it may ask for.

`contract.py` holds every word between the two sides; `CONTRACT.md` says how they are used.
"""
