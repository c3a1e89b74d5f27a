/** The release of every cluster, as /version serves it. Models apimachinery/pkg/version Info. */
export const VERSION = {
  major: '1',
  minor: '36',
  emulationMajor: '1',
  emulationMinor: '36',
  minCompatibilityMajor: '1',
  minCompatibilityMinor: '35',
  gitVersion: 'v1.36.3',
  gitCommit: '0f29094e5b73085e3802ecc1298ecae13866bfe6',
  gitTreeState: 'clean',
  buildDate: '2026-07-22T18:02:11Z',
  goVersion: 'go1.26.5',
  compiler: 'gc',
  platform: 'linux/amd64',
};
