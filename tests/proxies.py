"""nginx and Caddy in front of a real server, with the files of contrib/ as they stand: only names, ports and paths are
put in.  Whatever is missing root fetches from Debian."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import ssl
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.patience import PATIENCE, until
from tests.ports import own_port

ROOT = Path(__file__).parent.parent
CONTRIB = ROOT / "contrib"
NAMES = ("nginx", "caddy")
PACKAGES = {"nginx": "nginx-light", "caddy": "caddy", "openssl": "openssl"}
SITE = "localhost"


def needed(program: str) -> str:
    """Where a program is; a test that cannot have it is left out, and says so."""
    path = f"{os.environ['PATH']}:/usr/sbin"
    if shutil.which(program, path=path) is None and os.getuid() == 0 and shutil.which("apt-get"):
        install = ["apt-get", "install", "--yes", "--no-install-recommends", PACKAGES[program]]
        quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        for words in (["apt-get", "update"], install):
            subprocess.run(words, env=quiet, capture_output=True, check=False)
    found = shutil.which(program, path=path)
    if found is None:
        pytest.skip(f"{program} is missing: apt-get install {PACKAGES[program]}")
    return found


def put_in(text: str, *pairs: tuple[str, str]) -> str:
    for old, new in pairs:
        assert old in text, old
        text = text.replace(old, new)
    return text


class Proxy:
    """One of the two, on loopback, with a certificate of its own making."""

    def __init__(self, name: str, folder: Path, upstreams: Sequence[int]) -> None:
        self.name, self.folder = name, folder
        self.port, self.plain_port = own_port(), own_port()
        self.certificate, self.key = folder / "certificate.pem", folder / "key.pem"
        self.upstreams = [f"127.0.0.1:{port}" for port in upstreams]
        self.log = folder / "log.txt"
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"https://{SITE}:{self.port}"

    @property
    def trusting(self) -> ssl.SSLContext:
        return ssl.create_default_context(cafile=str(self.certificate))

    def start(self) -> Proxy:
        words = [needed("openssl"), "req", "-x509", "-newkey", "ec", "-nodes", "-days", "2"]
        words += ["-pkeyopt", "ec_paramgen_curve:prime256v1", "-subj", f"/CN={SITE}"]
        words += ["-addext", f"subjectAltName=DNS:{SITE}", "-keyout", str(self.key)]
        subprocess.run([*words, "-out", str(self.certificate)], capture_output=True, check=True)
        command = nginx(self) if self.name == "nginx" else caddy(self)
        environment = {
            **os.environ,
            "SITE": f"{SITE}:{self.port}",
            "UPSTREAM": " ".join(self.upstreams),
            "XDG_DATA_HOME": str(self.folder),
            "XDG_CONFIG_HOME": str(self.folder),
        }
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log, env=environment)
        until(self.listens, self.log.read_text)
        return self

    def listens(self) -> bool:
        assert self.process is not None
        assert self.process.poll() is None, self.log.read_text()
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
            return True
        return False

    def stop(self) -> None:
        if self.process is not None:
            self.process.terminate()
            self.process.wait(PATIENCE)

    def protocol(self) -> str | None:
        """What the two agree on where the client also speaks HTTP/2."""
        context = self.trusting
        context.set_alpn_protocols(["h2", "http/1.1"])
        with (
            socket.create_connection(("127.0.0.1", self.port)) as bare,
            context.wrap_socket(bare, server_hostname=SITE) as wrapped,
        ):
            return wrapped.selected_alpn_protocol()


def nginx(proxy: Proxy) -> list[str]:
    folder = proxy.folder
    temporary = "".join(
        f"    {what}_temp_path {folder}/{what};\n"
        for what in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    servers = "\n        ".join(f"server {address} max_fails=0;" for address in proxy.upstreams)
    text = put_in(
        (CONTRIB / "nginx.conf").read_text("utf-8"),
        ("        listen [::]:80;\n", ""),
        ("        listen [::]:443 ssl http2;\n", ""),
        ("listen 80;", f"listen 127.0.0.1:{proxy.plain_port};"),
        ("listen 443 ssl", f"listen 127.0.0.1:{proxy.port} ssl"),
        ("/etc/ssl/certs/play.example.org.pem", str(proxy.certificate)),
        ("/etc/ssl/private/play.example.org.key", str(proxy.key)),
        ("play.example.org", SITE),
        ("server 127.0.0.1:8000 max_fails=0;", servers),
        ("worker_processes auto;", "worker_processes 1;"),
        ("pid /run/nginx.pid;", f"pid {folder}/pid;\ndaemon off;"),
        ("/var/log/nginx/error.log", str(proxy.log)),
        ("http {\n", f"http {{\n{temporary}"),
    )
    if os.getuid() != 0:
        text = put_in(text, ("user www-data;\n", ""))
    own = folder / "nginx.conf"
    own.write_text(text, "utf-8")
    folder.chmod(0o755)
    return [needed("nginx"), "-p", str(folder), "-e", str(proxy.log), "-c", str(own)]


def caddy(proxy: Proxy) -> list[str]:
    text = put_in(
        (CONTRIB / "Caddyfile").read_text("utf-8"),
        ("\tservers {", f"\thttp_port {proxy.plain_port}\n\tadmin off\n\tservers {{"),
        ("# tls ", "tls "),
        ("/etc/ssl/certs/play.example.org.pem", str(proxy.certificate)),
        ("/etc/ssl/private/play.example.org.key", str(proxy.key)),
    )
    own = proxy.folder / "Caddyfile"
    own.write_text(text, "utf-8")
    return [needed("caddy"), "run", "--adapter", "caddyfile", "--config", str(own)]


@contextlib.contextmanager
def proxied(name: str, folder: Path, *upstreams: int) -> Iterator[Proxy]:
    folder.mkdir(exist_ok=True)
    proxy = Proxy(name, folder, upstreams)
    try:
        yield proxy.start()
    finally:
        proxy.stop()
