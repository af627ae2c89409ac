"""Host names and IP addresses as URLs contain them."""


def url_host(host: str) -> str:
    """Returns a host name or an IP address in the form of a URL: an IPv6 address is in brackets."""
    return f"[{host}]" if ":" in host else host
