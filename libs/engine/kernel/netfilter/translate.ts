/** '10.0.0.1:80', '10.0.0.1', '[fd00::1]:80': an address, and a port where there is one. */
export function splitPort(to: string, port: number): readonly [string, number] {
  if (to.startsWith('[')) {
    const end = to.indexOf(']');
    return [to.slice(1, end), to[end + 1] === ':' ? Number(to.slice(end + 2)) : port];
  }
  const colon = to.indexOf(':');
  if (colon < 0 || colon !== to.lastIndexOf(':')) return [to, port];
  return [to.slice(0, colon), Number(to.slice(colon + 1))];
}
