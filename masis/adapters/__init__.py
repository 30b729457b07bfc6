"""Vendor clients behind the ports."""

import os

# Since 1.29 the wheels of ONNX Runtime report to their maker over the network, unless they are
# told not to before they are loaded (Privacy.md in the wheel).
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
