import { bytesOf } from '../../../../engine/kernel/bytes.js';
import type { ChartFile } from '../chart/chart.js';
import { CHART, IGNORE, NOTES, VALUES } from './files.js';
import { accountHelperOf, helpersOf } from './helpers.js';
import { AUTOSCALER, DEPLOYMENT, INGRESS, SERVICE, SERVICE_ACCOUNT, TEST } from './templates.js';

const FILES: readonly (readonly [string, string])[] = [
  ['Chart.yaml', CHART],
  ['values.yaml', VALUES],
  ['.helmignore', IGNORE],
  ['templates/ingress.yaml', INGRESS],
  ['templates/deployment.yaml', DEPLOYMENT],
  ['templates/service.yaml', SERVICE],
  ['templates/serviceaccount.yaml', SERVICE_ACCOUNT],
  ['templates/hpa.yaml', AUTOSCALER],
  ['templates/NOTES.txt', NOTES],
  ['templates/tests/test-connection.yaml', TEST],
];

/** What `helm create` writes, in its order. */
export const scaffoldOf = (name: string): ChartFile[] => {
  const named = FILES.map(([path, text]) => ({ name: path, data: bytesOf(text.replaceAll(/\bNAME\b/g, name)) }));
  return [...named, { name: 'templates/_helpers.tpl', data: bytesOf(helpersOf(name) + accountHelperOf(name)) }];
};
