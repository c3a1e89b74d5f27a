/** The address of IPv6 that a host of the nodes' network has: 'fc00:f853:ccd:e793::3' beside '172.18.0.3'. */
export function secondHostFor(ip: string): string {
  const [, , third = 0, fourth = 0] = ip.split('.').map(Number);
  return `fc00:f853:ccd:e793::${(third * 256 + fourth).toString(16)}`;
}
