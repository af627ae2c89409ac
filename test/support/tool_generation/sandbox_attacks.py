"""Attacks on the sandbox: tool sources that attempt an effect outside the sandbox.

An attack succeeds if its function returns.

`HOME` stands for a folder of the host with a file `secret` that every user can read and write.
"""

READING = {
    "open": "return open('HOME/secret').read()",
    "os.open": "import os; return os.open('HOME/secret', os.O_RDONLY)",
    "libc": """
import ctypes
if ctypes.CDLL(None).open(b'HOME/secret', 0) < 0: raise OSError
""",
    "relative": "return open('../../../../../../../../../../HOME/secret').read()",
    "folder": "import os; return os.listdir('HOME')",
    "numpy": "import numpy; return numpy.fromfile('HOME/secret', dtype=numpy.uint8).tolist()",
    "mmap": "import mmap; return len(mmap.mmap(open('HOME/secret', 'rb').fileno(), 0))",
    "link": "import os; os.symlink('HOME/secret', 'a'); return open('a').read()",
    "passwords": "return open('/etc/passwd').read()",
    "shadow": "return open('/etc/shadow').read()",
    "keys": "import os; return os.listdir('/root')",
    "homes": "import os; return os.listdir('/home')",
    "system": "import os; return os.listdir('/sys/class')",
    "processes": "import os; return os.listdir('/proc')",
    "environment": "return open('/proc/self/environ').read()",
    "descriptors": "import os; return os.listdir('/proc/self/fd')",
    "memory": "return open('/proc/self/mem', 'rb').read(1)",
    "parent's root": "import os; return os.listdir(f'/proc/{os.getppid()}/root')",
    "camera": "return open('/dev/video0', 'rb').read(1)",
    "memory device": "return open('/dev/mem', 'rb').read(1)",
    "disk": "import os; return [os.open(f'/dev/{name}', os.O_RDONLY) for name in ('vda', 'sda', 'nvme0n1')]",
    "middleware": "import rclpy",
    "this package": "import reachy_agent_ros.tool_generation.sandbox",
    "installer": "import pip",
    "descriptor of the host": """
import os
for number in range(3, 64):
    try:
        os.listdir(number)
    except OSError:
        continue
    return number
raise OSError
""",
}

CHANGING = {
    "overwrite": "open('HOME/secret', 'w').write('x')",
    "append": "open('HOME/secret', 'a').write('x')",
    "empty": "import os; os.close(os.open('HOME/secret', os.O_RDONLY | os.O_TRUNC))",
    "truncate": "import os; os.truncate('HOME/secret', 0)",
    "new file": "open('HOME/new', 'w')",
    "nameless file": "import os; os.open('HOME', os.O_TMPFILE | os.O_RDWR)",
    "new folder": "import os; os.mkdir('HOME/new')",
    "remove": "import os; os.unlink('HOME/secret')",
    "rename": "import os; os.rename('HOME/secret', 'HOME/new')",
    "symbolic link": "import os; os.symlink('/etc/passwd', 'HOME/new')",
    "hard link": "import os; os.link('HOME/secret', 'HOME/new')",
    "rights": "import os; os.chmod('HOME/secret', 0o4755)",
    "owner": "import os; os.chown('HOME/secret', 0, 0)",
    "times": "import os; os.utime('HOME/secret', (0, 0))",
    "attribute": "import os; os.setxattr('HOME/secret', 'user.x', b'x')",
    "device": "import os, stat; os.mknod('HOME/new', stat.S_IFCHR | 0o666, os.makedev(1, 1))",
    "pipe": "import os; os.mkfifo('HOME/new')",
    "database": "import sqlite3; sqlite3.connect('HOME/new').execute('create table x (y)')",
    "numpy": "import numpy; numpy.save('HOME/new', numpy.ones(3))",
    "library": "import json; open(json.__file__, 'a')",
    "library emptied": "import os, json; os.close(os.open(json.__file__, os.O_RDONLY | os.O_TRUNC))",
    "worker": "open(wire.__file__, 'a')",
    "root": "open('/new', 'w')",
    "devices": "open('/dev/new', 'w')",
    "shared memory of the host": "open('/dev/shm/reachy_agent_attack', 'wb').write(bytes(2 << 20))",
    "much scratch": """
for number in range(64):
    with open(f'/tmp/{number}', 'wb') as file:
        file.write(bytes(1 << 20))
""",
    "a large file": "open('/tmp/large', 'wb').write(bytes(20 << 20))",
}

CONNECTING = {
    "internet": "import socket; socket.socket()",
    "datagrams": "import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM)",
    "internet 6": "import socket; socket.socket(socket.AF_INET6)",
    "raw": "import socket; socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)",
    "packets": "import socket; socket.socket(socket.AF_PACKET, socket.SOCK_RAW)",
    "netlink": "import socket; socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)",
    "local": "import socket; socket.socket(socket.AF_UNIX)",
    "virtual machine": "import socket; socket.socket(socket.AF_VSOCK)",
    "bluetooth": "import socket; socket.socket(31, socket.SOCK_RAW, 1)",
    "crypto": "import socket; socket.socket(38, socket.SOCK_SEQPACKET)",
    "pair of datagrams": "import socket; socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)",
    "pair of packets": "import socket; socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)",
    "asynchronous": "import asyncio; asyncio.run(asyncio.open_connection('127.0.0.1', 22))",
    "web": "import urllib.request; urllib.request.urlopen('http://127.0.0.1:1/', timeout=1)",
    "server": "import socket; socket.create_server(('127.0.0.1', 0))",
    "sent elsewhere": "import socket; socket.socketpair()[0].sendto(b'x', '\\0reachy')",
    "descriptor sent": "import socket, array; socket.socketpair()[0].sendmsg([b'x'])",
}

STARTING = {
    "fork": "import os; os.fork() or os._exit(0)",
    "terminal": "import os; os.forkpty()",
    "shell": "import os\nif os.system('true'): raise OSError",
    "spawn": "import os; os.posix_spawn('/usr/bin/python3', ['python3', '-V'], {})",
    "subprocess": "import subprocess; subprocess.run(['/usr/bin/python3', '-V'])",
    "multiprocessing": "import multiprocessing; multiprocessing.get_context('fork').Process(target=print).start()",
    "exec": "import os, sys; os.execv(sys.executable, [sys.executable, '-c', 'pass'])",
    "exec of a descriptor": "import os, sys; os.execve(os.open(sys.executable, os.O_RDONLY), ['x'], {})",
    "file in memory": "import os; os.memfd_create('x')",
}

SIGNALLING = {
    "first": "import os; os.kill(1, 0)",
    "everyone": "import os; os.kill(-1, 0)",
    "host": "import os; os.kill(HOST, 0)",
    "group": "import os; os.killpg(0, 0)",
    "itself": "import os; os.kill(os.getpid(), 0)",
    "handle": "import os; os.pidfd_open(HOST)",
    "owner of a pipe": "import fcntl, os; fcntl.fcntl(os.pipe()[0], fcntl.F_SETOWN, HOST)",
    "signal of a pipe": "import fcntl, os; fcntl.fcntl(os.pipe()[0], 10, 9)",
    "terminal": "import fcntl, termios; fcntl.ioctl(0, termios.TIOCSTI, b'x')",
    "priority": "import os; os.setpriority(os.PRIO_PROCESS, 0, -20)",
    "own limits": "import resource; resource.setrlimit(resource.RLIMIT_AS, (-1, -1))",
    "limits of the host": "import resource; resource.prlimit(HOST, resource.RLIMIT_NOFILE, (0, 0))",
}

TAKING = {
    "at once": "bytearray(1 << 30)",
    "step by step": "parts = []\nwhile True: parts.append(bytearray(1 << 20))",
    "mapped": "import mmap; mmap.mmap(-1, 1 << 30)",
    "shared": "import mmap; mmap.mmap(-1, 1 << 30, flags=mmap.MAP_SHARED | mmap.MAP_ANONYMOUS)",
    "numpy": "import numpy; numpy.ones(1 << 28)",
    "text": "'x' * 10**10",
    "number": "1 << (1 << 40)",
    "descriptors": "import os\nheld = []\nwhile True: held.append(os.pipe())",
}
