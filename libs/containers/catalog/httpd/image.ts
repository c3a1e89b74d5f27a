import { serverImage } from '../../programs/server.js';

/** Apache. */
export const image = serverImage(
  {
    names: ['httpd', 'public.ecr.aws/docker/library/httpd'],
    tags: /^(latest|alpine|2|2\.[24](\.\d{1,2})?)(-(alpine|bookworm|bullseye|trixie)[a-z0-9.]*)?$/,
    layersMB: [29.8, 0.001, 4.1, 26.2, 0.001],
    config: { exposedPorts: [80], cmd: ['httpd-foreground'], stopSignal: 'SIGWINCH' },
  },
  {
    ports: [80],
    declared: true,
    readyAfterMs: 80,
    log: ({ pod }) => [
      `AH00558: httpd: Could not reliably determine the server's fully qualified domain name, using ${pod.ip}. Set the 'ServerName' directive globally to suppress this message`,
      "AH00094: Command line: 'httpd -D FOREGROUND'",
    ],
  },
);
