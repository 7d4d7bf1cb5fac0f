"""A cable between two network namespaces that delays each frame: slow-cable.py PID INTERFACE PID INTERFACE MS JITTER_MS.

The interfaces are made in the namespaces of these processes, and go with this one. Each direction takes half of the
delay, and keeps the order.
"""
import ctypes, fcntl, heapq, os, random, select, struct, sys, time

TUNSETIFF, IFF_TAP, IFF_NO_PI = 0x400454CA, 0x0002, 0x1000
libc = ctypes.CDLL(None, use_errno=True)


def plug(pid, name):
    with open(f"/proc/{pid}/ns/net") as namespace:
        if libc.setns(namespace.fileno(), 0) != 0:
            raise OSError(ctypes.get_errno(), "setns")
    tap = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(tap, TUNSETIFF, struct.pack("16sH", name.encode(), IFF_TAP | IFF_NO_PI))
    return tap


one, other = plug(*sys.argv[1:3]), plug(*sys.argv[3:5])
delay_s, jitter_s = (float(ms) / 2000 for ms in sys.argv[5:7])
across = {one: other, other: one}
last = {one: 0.0, other: 0.0}
waiting, number = [], 0
print("plugged", flush=True)
while True:
    timeout = max(0, waiting[0][0] - time.monotonic()) if waiting else None
    for tap in select.select([one, other], [], [], timeout)[0]:
        frame, to = os.read(tap, 65536), across[tap]
        last[to] = max(last[to], time.monotonic() + delay_s + random.random() * jitter_s)
        number += 1
        heapq.heappush(waiting, (last[to], number, to, frame))
    while waiting and waiting[0][0] <= time.monotonic():
        _, _, to, frame = heapq.heappop(waiting)
        try:
            os.write(to, frame)
        except OSError:
            # The other side is not up yet, or has no room: a frame is lost, as on a real cable.
            pass
