import type { ImageFiles } from '../../engine/kernel/files/file.js';
import { accountFiles } from './accounts.js';
import { directory, file, joinLayers, link, opaque } from './layer.js';

const RELEASE = [
  'PRETTY_NAME="Distroless"',
  'NAME="Debian GNU/Linux"',
  'ID="debian"',
  'VERSION_ID="12"',
  'VERSION="Debian GNU/Linux 12 (bookworm)"',
  'HOME_URL="https://github.com/GoogleContainerTools/distroless"',
  'SUPPORT_URL="https://github.com/GoogleContainerTools/distroless/blob/master/README.md"',
  'BUG_REPORT_URL="https://github.com/GoogleContainerTools/distroless/issues/new"',
];

/** gcr.io/distroless/static: neither a shell nor tools. */
export const distrolessLayer: ImageFiles = joinLayers(
  {
    '/home': directory(),
    '/home/nonroot': { ...directory(0o700), user: 65_532, group: 65_532 },
    '/root': directory(0o700),
  },
  { '/tmp': directory(0o1777), '/var/lock': directory(), '/var/run': link('/run'), '/run': directory() },
  accountFiles(
    [
      ['root', 0, 0, 'root', '/root', '/sbin/nologin'],
      ['nobody', 65_534, 65_534, 'nobody', '/nonexistent', '/sbin/nologin'],
      ['nonroot', 65_532, 65_532, 'nonroot', '/home/nonroot', '/sbin/nologin'],
    ],
    [
      ['root', 0],
      ['nobody', 65_534],
      ['tty', 5],
      ['staff', 50],
      ['nonroot', 65_532],
    ],
  ),
  {
    '/etc/os-release': link('../usr/lib/os-release'),
    '/usr/lib/os-release': file(`${RELEASE.join('\n')}\n`),
    '/etc/nsswitch.conf': file('hosts: files dns\n'),
    '/etc/debian_version': file('12.11\n'),
    '/etc/ssl/certs/ca-certificates.crt': opaque(224_446),
    '/usr/share/zoneinfo': directory(),
  },
);
