import { expect, test } from '@jest/globals';
import { distributions } from './distributions.js';

test.each([
  ['fedora', 'latest', 'PRETTY_NAME="Fedora Linux 43 (Container Image)"'],
  ['centos', '7', 'PRETTY_NAME="CentOS Linux 7"'],
  ['quay.io/centos/centos', 'stream9', 'PRETTY_NAME="CentOS Stream 9"'],
  ['amazonlinux', '2', 'VERSION_ID="2"'],
  ['ubi9/ubi', '9.4', 'PRETTY_NAME="Red Hat Enterprise Linux 9.4 (Plow)"'],
])('%s:%s says what it is, and has no apt', (name, tag, line) => {
  const image = distributions.find(({ repositories }) => repositories.some((one) => one.endsWith(name)));
  const files = image?.variant?.(tag).files;
  expect(files?.['/usr/lib/os-release']?.content).toContain(line);
  expect(Object.keys(files ?? {}).filter((path) => /apt|dpkg/.test(path))).toEqual([]);
});
