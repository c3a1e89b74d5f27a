import type { Container, Pod } from '../../../api/core_v1.js';

const NONE: readonly string[] = [];
const ANY_ADDRESS = '0.0.0.0';

/** 'TCP/0.0.0.0/8080' for each host port of the pod. Models pkg/scheduler/util GetHostPorts. */
export function hostPorts(pod: Pod): readonly string[] {
  let found: string[] | undefined;
  const scan = (c: Container): void => {
    for (const p of c.ports ?? [])
      if (p.hostPort) (found ??= []).push(`${p.protocol ?? 'TCP'}/${p.hostIP || ANY_ADDRESS}/${p.hostPort}`);
  };
  for (const c of pod.spec.containers) scan(c);
  for (const c of pod.spec.initContainers ?? []) if (c.restartPolicy === 'Always') scan(c);
  return found ?? NONE;
}

/**
 * Whether a host port is free beside those of `used`; 0.0.0.0 conflicts with every address. Models HostPortInfo
 * CheckConflict.
 */
export function isHostPortInUse(port: string, used: { has(port: string): boolean; keys(): Iterable<string> }): boolean {
  const [protocol, ip, number] = port.split('/');
  if (ip !== ANY_ADDRESS) return used.has(port) || used.has(`${protocol}/${ANY_ADDRESS}/${number}`);
  for (const other of used.keys()) if (other.startsWith(`${protocol}/`) && other.endsWith(`/${number}`)) return true;
  return false;
}
