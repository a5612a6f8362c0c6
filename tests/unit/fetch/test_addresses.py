from ipaddress import ip_address, ip_network

import pytest

from adapters.fetch.addresses import Policy, as_number
from bot.core.pages import PageRefusedError

INSIDE = [
    "127.0.0.1",
    "127.9.9.9",
    "0.0.0.1",
    "10.1.2.3",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "169.254.1.1",
    "100.64.0.1",
    "100.100.100.200",
    "168.63.129.16",
    "192.0.0.192",
    "192.0.2.1",
    "198.18.0.1",
    "224.0.0.1",
    "239.1.1.1",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::127.0.0.1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "::ffff:169.254.169.254",
    "::ffff:0:10.0.0.1",
    "64:ff9b::10.0.0.1",
    "64:ff9b::169.254.169.254",
    "64:ff9b:1::8.8.8.8",
    "fe80::1",
    "fe80::1%eth0",
    "fec0::1",
    "fc00::1",
    "fd00:ec2::254",
    "ff02::1",
    "2001:db8::1",
    "2001:0:7f00:1::1",
    "2002:7f00:1::1",
    "2002:808:808::1",
    "100::1",
]


@pytest.mark.parametrize("address", INSIDE)
def test_what_is_not_public_is_not_asked(address: str) -> None:
    assert not Policy().allows(ip_address(address))


@pytest.mark.parametrize(
    "address",
    ["8.8.8.8", "93.184.216.34", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8"],
)
def test_what_is_public_is_asked(address: str) -> None:
    assert Policy().allows(ip_address(address))


def test_an_exception_lets_through_what_it_names_and_nothing_else() -> None:
    policy = Policy(exceptions=(ip_network("10.0.0.0/30"),))
    assert policy.allows(ip_address("10.0.0.1"))
    assert policy.allows(ip_address("::ffff:10.0.0.1"))
    assert not policy.allows(ip_address("10.0.0.4"))
    assert not policy.allows(ip_address("127.0.0.1"))


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "2130706433", "0x7f000001", "0x7f.1", "017700000001", "0177.0.0.1", "127.1"],
)
def test_a_number_is_read_as_the_system_reads_it(host: str) -> None:
    assert str(as_number(host)) == "127.0.0.1"


@pytest.mark.parametrize("host", ["example.com", "dead.beef", "10.0.0.1.example", "例子.中国"])
def test_a_name_is_no_number(host: str) -> None:
    assert as_number(host) is None


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("ftp://example.com/a", "pages.scheme"),
        ("file:///etc/passwd", "pages.scheme"),
        ("gopher://example.com:70/x", "pages.scheme"),
        ("javascript:alert(1)", "pages.scheme"),
        ("example.com", "pages.scheme"),
        ("http://", "pages.no_address"),
        ("http://exa mple.com/", "pages.no_address"),
        ("http://example.com/\r\nHost:x", "pages.no_address"),
        ("http://[::1", "pages.no_address"),
        ("http://example.com:99999/", "pages.no_address"),
        ("http://example.com/" + "a" * 3000, "pages.no_address"),
        ("http://anna@example.com/", "pages.user_info"),
        ("http://anna:secret@example.com/", "pages.user_info"),
        ("http://example.com\\@127.0.0.1/", "pages.user_info"),
        ("http://example.com:22/", "pages.port"),
        ("http://example.com:8080/", "pages.port"),
        ("http://127.0.0.1/", "pages.private"),
        ("http://2130706433/", "pages.private"),
        ("https://0x7f.1/", "pages.private"),
        ("http://[::ffff:10.0.0.1]/", "pages.private"),
        ("http://169.254.169.254/latest/meta-data/", "pages.private"),
        ("http://①②⑦.⓪.⓪.①:22/", "pages.port"),
    ],
)
def test_an_address_is_refused_by_its_form(url: str, key: str) -> None:
    with pytest.raises(PageRefusedError) as refused:
        Policy().check(url)
    assert refused.value.words.key == key


@pytest.mark.parametrize(
    "url", ["http://example.com", "https://例子.中国/a?b=c#d", "https://example.com:443/"]
)
def test_an_ordinary_address_is_in_order(url: str) -> None:
    assert Policy().check(url)
