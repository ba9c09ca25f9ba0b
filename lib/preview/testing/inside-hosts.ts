/** Hosts that lead, or once led some client, to a machine inside. */
export const insideHosts: readonly string[] = `
  # Loopback, in every spelling of IPv4
  127.0.0.1 127.0.0.2 127.1 127.0.1 127.255.255.254 2130706433 0x7f000001 0x7f.1 0x7F.0x0.0x0.0x1
  017700000001 0177.0.0.1 0177.0.1 00177.0.0.0x1 0000177.0.0.1 127.0.0.1. 127.0.0.01 0x7f.0.0.0x01
  127.0.0.0x1 127.00.00.1 %31%32%37.0.0.1 １２７.0.0.1 ①②⑦.0.0.1 127。0。0。1 0x7f.0.1. 127.65535
  # This host, broadcast
  0.0.0.0 0 00 0x0 0.1.2.3 0.0.0.0. 255.255.255.255 4294967295 0xffffffff
  # Private, shared, link-local, metadata services
  10.0.0.1 10.255.255.255 0xa000001 167772161 012.1 10.1 172.16.0.1 172.31.255.254 0xac100001
  192.168.0.1 192.168.1 3232235521 0300.0250.0.1 100.64.0.1 100.127.255.254 169.254.169.254 2852039166
  0xa9fea9fe 0251.0376.0251.0376 169.254.43518 169.254.0.1
  # Special, documentation, benchmarking, multicast, reserved
  192.0.0.1 192.0.0.170 192.0.2.1 192.88.99.1 198.18.0.1 198.19.255.254 198.51.100.1 203.0.113.1
  224.0.0.1 239.255.255.250 240.0.0.1 254.1.1.1 192.31.196.1 192.52.193.1 192.175.48.1
  # IPv6: loopback, unspecified, local, multicast
  [::1] [::] [0:0:0:0:0:0:0:1] [0000::0001] [fe80::1] [febf::1] [fec0::1] [fc00::1] [fd00:ec2::254]
  [fdff::1] [ff02::1] [ff0e::1]
  # IPv4 inside IPv6: mapped, compatible, translated, NAT64, 6to4, Teredo
  [::ffff:127.0.0.1] [::ffff:7f00:1] [::FFFF:10.0.0.1] [0:0:0:0:0:ffff:a9fe:a9fe] [::ffff:0:127.0.0.1]
  [::127.0.0.1] [::7f00:1] [::ffff:8.8.8.8] [64:ff9b::127.0.0.1] [64:ff9b::a9fe:a9fe]
  [64:ff9b:1::7f00:1] [64:ff9b::808:808] [2002:7f00:1::] [2002:a00:1::1] [2002:808:808::1]
  [2001:0:7f00:1::] [2001::1]
  # IPv6: discard, documentation, benchmarking, ORCHID, segment routing, not handed out
  [100::1] [2001:db8::1] [3fff::1] [2001:2::1] [2001:10::1] [2001:20::1] [5f00::1] [4000::1] [8000::1]
  # IPv6: the same again, spelled otherwise
  [::0001] [0::1] [::1.0.0.0] [::ffff:0a00:0001] [::ffff:c0a8:1] [::ffff:169.254.169.254] [::ffff:0.0.0.0]
  [fe80:0:0:0:0:0:0:1] [FD00::1] [64:ff9b::10.0.0.1] [2002:c0a8:1::] [2002:a9fe:a9fe::1]
  # Names
  localhost LOCALHOST localhost. a.localhost a.localhost. ⓛocalhost localhost.localdomain ip6-localhost
  internal metadata.google.internal 127.0.0.1.nip.example rebind.example xn--.example router.local
`
  .replace(/#.*/g, "")
  .trim()
  .split(/\s+/);
