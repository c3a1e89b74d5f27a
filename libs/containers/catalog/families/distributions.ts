import type { Image } from '@terrarium/engine';
import type { ImageFiles } from '../../../engine/kernel/files/file.js';
import { file, joinLayers, readPrograms } from '../../layers/index.js';
import { toolImage } from '../../programs/server.js';
import { debian, shareLayer, versionOf, withDebianPackages } from '../bases.js';

interface Distribution {
  readonly names: readonly string[];
  readonly id: string;
  readonly like?: string;
  readonly title: string;
  readonly latest: string;
  /** What stands behind the version in its long names. */
  readonly suffix?: string;
}

const UBI = 'registry.access.redhat.com/ubi9';
const RED_HAT: Distribution = {
  names: [UBI, `${UBI}/ubi`, `${UBI}/ubi-minimal`, 'redhat/ubi9', 'redhat/ubi9-minimal'],
  ...{ id: 'rhel', like: 'fedora', title: 'Red Hat Enterprise Linux', latest: '9.4', suffix: ' (Plow)' },
};

const DISTRIBUTIONS: readonly Distribution[] = [
  RED_HAT,
  { names: ['fedora'], id: 'fedora', title: 'Fedora Linux', latest: '43', suffix: ' (Container Image)' },
  { names: ['centos'], id: 'centos', like: 'rhel fedora', title: 'CentOS Linux', latest: '8' },
  { names: ['quay.io/centos/centos'], id: 'centos', like: 'rhel fedora', title: 'CentOS Stream', latest: '9' },
  {
    names: ['rockylinux', 'rockylinux/rockylinux'],
    ...{ id: 'rocky', like: 'rhel centos fedora', title: 'Rocky Linux', latest: '9.6', suffix: ' (Blue Onyx)' },
  },
  { names: ['almalinux'], id: 'almalinux', like: 'rhel centos fedora', title: 'AlmaLinux', latest: '10.0' },
  { names: ['amazonlinux'], id: 'amzn', like: 'fedora', title: 'Amazon Linux', latest: '2023' },
  { names: ['oraclelinux'], id: 'ol', like: 'fedora', title: 'Oracle Linux Server', latest: '9.6' },
];

const OF_DEBIAN =
  /^\/(usr\/bin\/(apt|dpkg)[^/]*|etc\/(debian_version|apt\/.*)|var\/log\/dpkg\.log|var\/(lib|cache)\/(apt|dpkg)(\/.*)?)$/;
const TAGS = /^[a-z0-9][\w.-]*$/;

/**
 * Base systems with rpm's packages. The tools are GNU's, as Debian's are.
 * Left out: rpm's database; `dnf install`, which reaches no mirror.
 */
export const distributions: readonly Image[] = DISTRIBUTIONS.map((distribution) =>
  toolImage({
    names: distribution.names,
    tags: TAGS,
    layersMB: [66.4],
    config: { cmd: ['/bin/bash'] },
    files: filesOf(distribution, 'latest'),
    variant: (tag) => ({ files: filesOf(distribution, tag) }),
  }),
);

/** Red Hat's universal base image, on which others are built. */
export const ubi = (): ImageFiles => filesOf(RED_HAT, 'latest');

function filesOf({ id, like, title, latest, suffix = '' }: Distribution, tag: string): ImageFiles {
  const version = versionOf(tag.replace(/^stream/, ''), latest);
  return shareLayer(`${id} ${title} ${version}`, () => {
    const release = [
      `NAME="${title}"`,
      `VERSION="${version}${suffix}"`,
      `ID="${id}"`,
      ...(like === undefined ? [] : [`ID_LIKE="${like}"`]),
      `VERSION_ID="${version}"`,
      `PRETTY_NAME="${title} ${version}${suffix}"`,
    ];
    const below = withDebianPackages(debian(), 'procps', 'curl');
    const kept = Object.entries(below).filter(([path]) => !OF_DEBIAN.test(path));
    return joinLayers(
      Object.fromEntries(kept),
      readPrograms('/usr/bin yum yum dnf microdnf'),
      readPrograms('/usr/bin rpm rpm'),
      {
        '/usr/lib/os-release': file(`${release.join('\n')}\n`),
        '/etc/redhat-release': file(`${title} release ${version}${suffix}\n`),
        '/etc/issue': file('\\S\nKernel \\r on an \\m\n\n'),
      },
    );
  });
}
