import { BINARY_MAGIC } from '../../../kernel/process/execute.js';
import { formatDeb } from './deb.js';

const RELEASES =
  '0.3.4 0.3.5 0.3.6 0.3.7 0.3.8 0.3.9 0.3.10 0.3.11 0.3.12 0.3.13 0.3.14 0.3.15 0.3.16 0.3.17 0.3.18 0.3.19 0.3.20 0.3.21 ' +
  '0.3.22 0.3.23 0.3.24 0.4.0';
const SYSTEMS = ['debian-bullseye', 'debian-bookworm', 'ubuntu-focal', 'ubuntu-jammy'];
const DOWNLOADS = 'https://github.com/Mirantis/cri-dockerd/releases/download';

const SERVICE = `[Unit]
Description=CRI Interface for Docker Application Container Engine
Documentation=https://docs.mirantis.com
After=network-online.target firewalld.service docker.service
Wants=network-online.target
Requires=cri-docker.socket

[Service]
Type=notify
ExecStart=/usr/bin/cri-dockerd --container-runtime-endpoint fd://
ExecReload=/bin/kill -s HUP $MAINPID
TimeoutSec=0
RestartSec=2
Restart=always
StartLimitBurst=3
StartLimitInterval=60s
LimitNOFILE=infinity
LimitNPROC=infinity
LimitCORE=infinity
TasksMax=infinity
Delegate=yes
KillMode=process

[Install]
WantedBy=multi-user.target
`;

const SOCKET = `[Unit]
Description=CRI Docker Socket for the API
PartOf=cri-docker.service

[Socket]
ListenStream=%t/cri-dockerd.sock
SocketMode=0660
SocketUser=root
SocketGroup=docker

[Install]
WantedBy=sockets.target
`;

/** The packages that exams have installed with `dpkg -i`, as their project releases them: URLs and contents. */
export const CRI_DOCKERD: readonly (readonly [url: string, content: () => string])[] = RELEASES.split(' ').flatMap(
  (release) =>
    SYSTEMS.map(
      (system) =>
        [
          `${DOWNLOADS}/v${release}/cri-dockerd_${release}.3-0.${system}_amd64.deb`,
          () => packOf(release, system),
        ] as const,
    ),
);

const packOf = (release: string, system: string): string =>
  formatDeb({
    name: 'cri-dockerd',
    version: `${release}.3-0~${system}`,
    description: 'Adapter for the Docker Engine that speaks CRI',
    files: [
      { path: './usr/bin/cri-dockerd', mode: 0o755, content: `${BINARY_MAGIC}node:cri-dockerd` },
      { path: './lib/systemd/system/cri-docker.service', mode: 0o644, content: SERVICE },
      { path: './lib/systemd/system/cri-docker.socket', mode: 0o644, content: SOCKET },
    ],
  });
