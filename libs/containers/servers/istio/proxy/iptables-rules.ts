/** The rules that a command line asks for, as iptables-restore reads them. Models tools/istio-iptables/pkg/capture. */
export function rulesOf(argv: readonly string[]): string[] {
  const value = (flag: string, otherwise: string): string => {
    const at = argv.indexOf(flag);
    return at < 0 ? otherwise : (argv[at + 1] ?? otherwise);
  };
  const list = (text: string): string[] => text.split(',').filter(Boolean);
  const [outbound, inbound, user] = [value('-p', '15001'), value('-z', '15006'), value('-u', '1337')];
  const included = value('-b', '*');
  const ranges = value('-i', '*');
  const ofOwner = (kind: 'uid' | 'gid'): string[] => [
    `-A ISTIO_OUTPUT -o lo ! -d 127.0.0.1/32 -p tcp ! --dport 15008 -m owner --${kind}-owner ${user} -j ISTIO_IN_REDIRECT`,
    `-A ISTIO_OUTPUT -o lo -m owner ! --${kind}-owner ${user} -j RETURN`,
    `-A ISTIO_OUTPUT -m owner --${kind}-owner ${user} -j RETURN`,
  ];
  return [
    ...['* nat', '-N ISTIO_INBOUND', '-N ISTIO_REDIRECT', '-N ISTIO_IN_REDIRECT', '-N ISTIO_OUTPUT'],
    '-A ISTIO_INBOUND -p tcp --dport 15008 -j RETURN',
    `-A ISTIO_REDIRECT -p tcp -j REDIRECT --to-ports ${outbound}`,
    `-A ISTIO_IN_REDIRECT -p tcp -j REDIRECT --to-ports ${inbound}`,
    '-A PREROUTING -p tcp -j ISTIO_INBOUND',
    ...(included === '*'
      ? [
          ...list(value('-d', '')).map((port) => `-A ISTIO_INBOUND -p tcp --dport ${port} -j RETURN`),
          '-A ISTIO_INBOUND -p tcp -j ISTIO_IN_REDIRECT',
        ]
      : list(included).map((port) => `-A ISTIO_INBOUND -p tcp --dport ${port} -j ISTIO_IN_REDIRECT`)),
    '-A OUTPUT -j ISTIO_OUTPUT',
    ...list(value('-o', '')).map((port) => `-A ISTIO_OUTPUT -p tcp --dport ${port} -j RETURN`),
    '-A ISTIO_OUTPUT -o lo -s 127.0.0.6/32 -j RETURN',
    ...ofOwner('uid'),
    ...ofOwner('gid'),
    '-A ISTIO_OUTPUT -d 127.0.0.1/32 -j RETURN',
    ...list(value('-x', '')).map((range) => `-A ISTIO_OUTPUT -d ${range} -j RETURN`),
    ...(ranges === '*'
      ? ['-A ISTIO_OUTPUT -j ISTIO_REDIRECT']
      : list(ranges).map((range) => `-A ISTIO_OUTPUT -d ${range} -j ISTIO_REDIRECT`)),
    'COMMIT',
  ];
}
