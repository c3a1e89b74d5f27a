import fs from 'node:fs';

const TICK_MS = 10;
/** Fields of /proc/<pid>/stat behind the name: own user and system time, then those of children that have ended. */
const OWN = [11, 13];
const WITH_ENDED = [11, 15];

/** CPU ms of a process, of its children, and of those that have ended. */
export function cpuMs(pid) {
  const ticks = (id, [from, to]) =>
    fs
      .readFileSync(`/proc/${id}/stat`, 'utf8')
      .split(') ')[1]
      .split(' ')
      .slice(from, to)
      .reduce((sum, n) => sum + Number(n), 0);
  const children = fs.readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
  const ofChildren = children.map((id) => (fs.existsSync(`/proc/${id}`) ? ticks(id, OWN) : 0));
  return ofChildren.reduce((sum, n) => sum + n, ticks(pid, WITH_ENDED)) * TICK_MS;
}

/** Begins to measure a service's processes. The function that it returns gives each one's share of a core, in %. */
export function measureCpu({ pids }) {
  const started = performance.now();
  const before = Object.entries(pids)
    .filter(([, pid]) => pid !== undefined)
    .map(([name, pid]) => ({ name, pid, ms: cpuMs(pid) }));
  return () => {
    const elapsed = performance.now() - started;
    return before.map(({ name, pid, ms }) => ({ name, share: ((cpuMs(pid) - ms) / elapsed) * 100 }));
  };
}
