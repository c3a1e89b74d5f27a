import type { ImageFiles } from '../../engine/kernel/files/file.js';
import { DEBIAN_ACCOUNTS } from './accounts.js';
import { debianBase, debianPackages } from './debian.js';
import { directory, file, joinLayers } from './layer.js';

interface Release {
  readonly full: string;
  readonly codeName: string;
  readonly title: string;
  readonly debian: string;
}

const RELEASES: Readonly<Record<string, Release>> = {
  '20.04': { full: '20.04.6 LTS', codeName: 'focal', title: 'Focal Fossa', debian: 'bullseye/sid' },
  '22.04': { full: '22.04.5 LTS', codeName: 'jammy', title: 'Jammy Jellyfish', debian: 'bookworm/sid' },
  '24.04': { full: '24.04.3 LTS', codeName: 'noble', title: 'Noble Numbat', debian: 'trixie/sid' },
};

/** The image ubuntu: from 24.04 on with a user of its own. */
export function ubuntuLayer(version = '24.04'): ImageFiles {
  const known = RELEASES[version] === undefined ? '24.04' : version;
  const { full, codeName, title, debian } = RELEASES[known]!;
  const release = [
    `PRETTY_NAME="Ubuntu ${full}"`,
    'NAME="Ubuntu"',
    `VERSION_ID="${known}"`,
    `VERSION="${full} (${title})"`,
    `VERSION_CODENAME=${codeName}`,
    'ID=ubuntu',
    'ID_LIKE=debian',
    'HOME_URL="https://www.ubuntu.com/"',
    'SUPPORT_URL="https://help.ubuntu.com/"',
    'BUG_REPORT_URL="https://bugs.launchpad.net/ubuntu/"',
    'PRIVACY_POLICY_URL="https://www.ubuntu.com/legal/terms-and-policies/privacy-policy"',
    `UBUNTU_CODENAME=${codeName}`,
    ...(known === '24.04' ? ['LOGO=ubuntu-logo'] : []),
  ];
  const lsb = [
    `DISTRIB_ID=Ubuntu`,
    `DISTRIB_RELEASE=${known}`,
    `DISTRIB_CODENAME=${codeName}`,
    `DISTRIB_DESCRIPTION="Ubuntu ${full}"`,
  ];
  const hasUser = known === '24.04';
  const user = ['ubuntu', 1_000, 1_000, 'Ubuntu', '/home/ubuntu', '/bin/bash'] as const;
  const accounts = hasUser ? [...DEBIAN_ACCOUNTS, user] : DEBIAN_ACCOUNTS;
  return joinLayers(
    debianBase(release, `Ubuntu ${full}`, accounts),
    { '/etc/debian_version': file(`${debian}\n`), '/etc/lsb-release': file(`${lsb.join('\n')}\n`) },
    hasUser ? { '/home/ubuntu': { ...directory(0o750), user: 1_000, group: 1_000 } } : {},
    debianPackages('procps'),
  );
}
