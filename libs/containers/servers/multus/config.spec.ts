import { expect, test } from '@jest/globals';
import { findMaster, makeShimConfig, makeThinConfig } from './config.js';

const settings = {
  ...{ kubeconfig: '/etc/cni/net.d/multus.d/multus.kubeconfig', isIsolated: false },
  ...{ globalNamespaces: '', logLevel: '', logFile: '', cniVersion: '' },
};
const master = (cniVersion: string): string =>
  JSON.stringify({
    ...{ name: 'kindnet', cniVersion },
    plugins: [{ type: 'ptp' }, { type: 'portmap', capabilities: { portMappings: true } }],
  });

test('the first configuration that is not its own is the master', () => {
  expect(findMaster(['multus.d', '00-multus.conf', '20-b.conf', '10-a.conflist'])).toBe('10-a.conflist');
  expect(findMaster(['00-multus.conf', 'a.txt'])).toBeUndefined();
});

test.each([
  ['0.3.1', '00-multus.conf'],
  ['1.0.0', '00-multus.conflist'],
])('with version %s the file is %s', (version, file) => {
  const made = makeThinConfig('/x', master(version), settings);
  if ('error' in made) throw new Error(made.error);
  expect(made.file).toBe(file);
  const config = JSON.parse(made.text) as { plugins?: object[] };
  expect(config.plugins?.[0] ?? config).toMatchObject({
    ...{ type: 'multus', capabilities: { portMappings: true }, kubeconfig: settings.kubeconfig },
    delegates: [JSON.parse(master(version)) as object],
  });
});

test.each([
  ['{"name": "x"}', 'cannot get cniVersion in master CNI config file "/x": <nil>'],
  ['{', 'cannot read master CNI config json: '],
])('%s is refused', (text, error) => {
  const made = makeThinConfig('/x', text, settings);
  expect('error' in made && made.error.startsWith(error)).toBe(true);
});

test('the shim is told where the master is', () => {
  const made = makeShimConfig('/host/etc/cni/net.d/10-x.conflist', master('0.3.1'), { cniVersion: '0.3.1' });
  expect('text' in made && JSON.parse(made.text)).toEqual({
    ...{ capabilities: { portMappings: true }, cniVersion: '0.3.1', name: 'multus-cni-network' },
    ...{ clusterNetwork: '/host/etc/cni/net.d/10-x.conflist', type: 'multus-shim' },
  });
});
