/** What ZooKeeper's servers write, in the form of their log4j's pattern. */
export function formatLine(at: number, id: number, place: string, message: string): string {
  const time = new Date(at).toISOString().slice(0, 23).replace('T', ' ').replace('.', ',');
  return `${time} [myid:${id}] - INFO  [main:${place}] - ${message}\n`;
}

const ALONE = 'Either no config or no quorum defined in config, running  in standalone mode';

export const startLines = (at: number, id: number, path: string, port: number, isAlone: boolean): string =>
  [
    formatLine(at, id, 'QuorumPeerConfig@134', `Reading configuration from: ${path}`),
    isAlone
      ? formatLine(at, id, 'QuorumPeerMain@113', ALONE)
      : formatLine(at, id, 'QuorumPeerMain@127', 'Starting quorum peer'),
    formatLine(at, id, 'NIOServerCnxnFactory@89', `binding to port 0.0.0.0/0.0.0.0:${port}`),
  ].join('');
