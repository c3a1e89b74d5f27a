import net from 'node:net';

/** The address blocks that are not for the public Internet (RFC 6890). */
const PRIVATE_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
];
/** All but 2000::/3, and of that documentation, and Teredo and 6to4, which embed IPv4 addresses. */
const PRIVATE_IPV6 = ['::/3', '4000::/2', '8000::/1', '2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

/** One list a family: a list of IPv6 blocks would also match IPv4 addresses, in their mapped form. */
function blockListOf(family: net.IPVersion, ranges: readonly string[]): net.BlockList {
  const list = new net.BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    list.addSubnet(address, Number(bits), family);
  }
  return list;
}

const ipv4 = blockListOf('ipv4', PRIVATE_IPV4);
const ipv6 = blockListOf('ipv6', PRIVATE_IPV6);

/** The IP address may be one of the public Internet. */
export const isPublicAddress = (address: string): boolean =>
  !(net.isIPv6(address) ? ipv6.check(address, 'ipv6') : ipv4.check(address, 'ipv4'));
