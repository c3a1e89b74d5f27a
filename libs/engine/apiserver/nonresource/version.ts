import { DEFAULT_VERSION, releaseOf, type GitVersion } from '../../machinery/releases.js';

/** What /version serves. Models apimachinery/pkg/version Info. */
export const versionInfo = (version: GitVersion = DEFAULT_VERSION) => ({
  major: '1',
  minor: '36',
  emulationMajor: '1',
  emulationMinor: '36',
  minCompatibilityMajor: '1',
  minCompatibilityMinor: '35',
  ...releaseOf(version),
  gitTreeState: 'clean',
  compiler: 'gc',
  platform: 'linux/amd64',
});
