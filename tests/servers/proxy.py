"""A wire that breaks: a TCP proxy on loopback that cuts, stalls or loses what passes, when it is told to."""
import random
import socket
import struct
import threading


class Proxy:
    """Passes connections on to a port; `plan` decides about each what happens to it.

    A plan takes the number of the connection, from 1 on, and answers None (nothing happens) or a tuple
    (direction, when, how): direction `out` (from the client) or `in` (from the server); when: after so many bytes, or
    once these bytes have come by; how: `reset`, `close`, `swallow` (nothing more of that direction gets through, the
    connection stays), or `lose` (the bytes that it waited for do not get through either, then reset).
    """

    def __init__(self, port, plan=None):
        self.target = port
        self.plan = plan or (lambda number: None)
        self.connections = 0
        self.broken = 0
        self._open = []
        self._lock = threading.Lock()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self):
        self._listener.close()
        self.cut_all()

    def cut_all(self):
        """Breaks every connection that is open now."""
        with self._lock:
            pairs, self._open = self._open, []
        for pair in pairs:
            for end in pair:
                reset(end)

    def _accept(self):
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            self.connections += 1
            try:
                server = socket.create_connection(("127.0.0.1", self.target))
            except OSError:
                reset(client)
                continue
            for end in (client, server):
                end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            fate = self.plan(self.connections)
            with self._lock:
                self._open.append((client, server))
            for source, sink, direction in ((client, server, "out"), (server, client, "in")):
                mine = fate[1:] if fate and fate[0] == direction else None
                threading.Thread(target=self._pump, args=(source, sink, mine), daemon=True).start()

    def _pump(self, source, sink, fate):
        passed, tail, swallowing = 0, b"", False
        try:
            while data := source.recv(65536):
                passed += len(data)
                if fate and not swallowing:
                    when, how = fate
                    tail = (tail + data)[-4096:]
                    reached = passed >= when if isinstance(when, int) else when in tail
                    if reached:
                        self.broken += 1
                        if how == "lose":
                            return
                        if isinstance(when, int):
                            data = data[:len(data) - (passed - when)]
                        if data:
                            sink.sendall(data)
                        if how == "swallow":
                            swallowing = True
                            continue
                        if how == "close":
                            source.shutdown(socket.SHUT_RDWR)
                        return
                if not swallowing:
                    sink.sendall(data)
        except OSError:
            pass
        finally:
            reset(source)
            reset(sink)


def reset(end):
    try:
        end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        end.shutdown(socket.SHUT_RD)
    except OSError:
        pass
    end.close()


def at_random(seed, share=0.6, most=20000):
    """A plan that breaks a share of the connections at a random byte, in a random direction and way."""
    chance = random.Random(seed)

    def plan(_number):
        if chance.random() >= share:
            return None
        far = int(most ** chance.random())
        return chance.choice(["out", "in", "in"]), far, chance.choice(["reset", "close"])

    return plan
