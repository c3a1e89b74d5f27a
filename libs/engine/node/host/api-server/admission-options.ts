import type {
  ApiServerConfiguration,
  ImagePolicyConfiguration,
  PodSecurityConfiguration,
} from '../../../kinds/terrarium/noderuntime/api-server-configuration.js';
import { textOf } from '../../../kernel/bytes.js';
import { parseYaml } from '../../../schema/index.js';
import { decodeConfig, isObject, readMounted, type Mounted, type Read } from './config-file.js';

type Found = Pick<ApiServerConfiguration, 'enabledPlugins' | 'disabledPlugins' | 'podSecurity' | 'imagePolicy'>;
type Fields = Readonly<Record<string, unknown>>;

const ADMISSION = {
  kind: 'AdmissionConfiguration',
  versions: ['apiserver.config.k8s.io/v1'],
  source: 'k8s.io/apiserver/pkg/server/options/admission.go:58',
};
const POD_SECURITY = {
  kind: 'PodSecurityConfiguration',
  versions: ['pod-security.admission.config.k8s.io/v1'],
  source: 'k8s.io/pod-security-admission/admission/api/scheme/scheme.go:30',
};
/** Models pkg/kubeapiserver/options/plugins.go AllOrderedPlugins. */
const KNOWN = new Set(
  `AlwaysAdmit NamespaceAutoProvision NamespaceLifecycle NamespaceExists LimitPodHardAntiAffinityTopology LimitRanger
  ServiceAccount NodeRestriction TaintNodesByCondition AlwaysPullImages ImagePolicyWebhook PodSecurity PodNodeSelector
  Priority DefaultTolerationSeconds PodTolerationRestriction EventRateLimit ExtendedResourceToleration PodTopologyLabels
  DefaultStorageClass StorageObjectInUseProtection OwnerReferencesPermissionEnforcement PersistentVolumeClaimResize
  RuntimeClass DefaultIngressClass CertificateApproval CertificateSigning ClusterTrustBundleAttest
  CertificateSubjectRestriction MutatingAdmissionPolicy MutatingAdmissionWebhook ValidatingAdmissionPolicy
  ValidatingAdmissionWebhook ResourceQuota AlwaysDeny DenyServiceExternalIPs`.split(/\s+/),
);
/** kubeadm's flag turns it on: without the flag it is off. */
const OF_KUBEADM = 'NodeRestriction';
const MODES = ['enforce', 'enforce-version', 'audit', 'audit-version', 'warn', 'warn-version'];
const LEVELS = ['privileged', 'baseline', 'restricted'];

/** What admission does by the API server's flags. Models apiserver/pkg/server/options/admission.go. */
export function readAdmissionOptions(flags: ReadonlyMap<string, string>, mounted: Mounted): Read<Found> {
  const listOf = (flag: string): string[] => (flags.get(flag) ?? '').split(',').filter((name) => name !== '');
  const [enabled, disabled] = [listOf('enable-admission-plugins'), listOf('disable-admission-plugins')];
  const errors = [
    ...enabled.filter((name) => !KNOWN.has(name)).map((name) => `enable-admission-plugins plugin "${name}" is unknown`),
    ...disabled
      .filter((name) => !KNOWN.has(name))
      .map((name) => `disable-admission-plugins plugin "${name}" is unknown`),
  ];
  const both = enabled.filter((name) => disabled.includes(name));
  if (both.length > 0)
    errors.push(`[${both.join(' ')}] in enable-admission-plugins and disable-admission-plugins overlapped`);
  if (errors.length > 0) return { failure: errors.length === 1 ? errors[0]! : `[${errors.join(', ')}]` };
  const files = readControlConfig(flags.get('admission-control-config-file') ?? '', mounted);
  if (files.failure !== undefined) return files;
  const { podSecurity, imagePolicy } = files.value;
  if (enabled.includes('ImagePolicyWebhook') && !imagePolicy)
    return { failure: inPlugin('ImagePolicyWebhook', 'no config specified') };
  const off = enabled.includes(OF_KUBEADM) ? disabled : [...disabled, OF_KUBEADM];
  const on = enabled.filter((name) => name !== OF_KUBEADM);
  return {
    value: {
      ...(on.length > 0 ? { enabledPlugins: on } : {}),
      ...(off.length > 0 ? { disabledPlugins: off } : {}),
      ...(podSecurity ? { podSecurity } : {}),
      ...(imagePolicy ? { imagePolicy } : {}),
    },
  };
}

const inPlugin = (name: string, error: string): string =>
  `failed to initialize admission: couldn't init admission plugin "${name}": ${error}`;

function readControlConfig(path: string, mounted: Mounted): Read<Pick<Found, 'podSecurity' | 'imagePolicy'>> {
  if (path === '') return { value: {} };
  const failing = (error: string): { readonly failure: string } => ({
    failure: `failed to read plugin config: unable to read admission control configuration from "${path}" [${error}]`,
  });
  const text = readMounted(path, mounted);
  if (text.failure !== undefined) return failing(text.failure);
  const decoded = decodeConfig(text.value, ADMISSION);
  if (decoded.failure !== undefined) return failing(decoded.failure);
  const found: { podSecurity?: PodSecurityConfiguration; imagePolicy?: ImagePolicyConfiguration } = {};
  const plugins = decoded.value['plugins'];
  for (const plugin of Array.isArray(plugins) ? plugins.filter(isObject).slice(0, 50) : []) {
    const configuration = configurationOf(plugin, path, mounted);
    if (configuration.failure !== undefined) return failing(configuration.failure);
    const name = plugin['name'];
    if (name !== 'PodSecurity' && name !== 'ImagePolicyWebhook') continue;
    const read =
      name === 'PodSecurity'
        ? readPodSecurity(configuration.value)
        : readImagePolicy(configuration.value, path, mounted);
    if (read.failure !== undefined) return { failure: inPlugin(name, read.failure) };
    Object.assign(found, read.value);
  }
  return { value: found };
}

/** Relative to the file that names it. */
const besides = (file: string, path: string): string =>
  path.startsWith('/') ? path : `${file.slice(0, file.lastIndexOf('/') + 1)}${path}`;

/** The text of a plug-in's own configuration, which stands in the file or in another one. */
function configurationOf({ configuration, path }: Fields, file: string, mounted: Mounted): Read<string> {
  if (isObject(configuration)) return { value: JSON.stringify(configuration) };
  return typeof path === 'string' && path !== '' ? readMounted(besides(file, path), mounted) : { value: '' };
}

function readPodSecurity(text: string): Read<Found> {
  const decoded = decodeConfig(text, POD_SECURITY);
  if (decoded.failure !== undefined) return decoded;
  const given = decoded.value;
  const defaults = isObject(given['defaults']) ? given['defaults'] : {};
  const exemptions = isObject(given['exemptions']) ? given['exemptions'] : {};
  const labels: Record<string, string> = {};
  for (const mode of MODES) {
    const value = defaults[mode];
    if (typeof value !== 'string' || value === '') continue;
    if (!mode.endsWith('-version') && !LEVELS.includes(value))
      return { failure: `defaults.${mode}: Invalid value: "${value}": must be one of ${LEVELS.join(', ')}` };
    labels[`pod-security.kubernetes.io/${mode}`] = value;
  }
  const listOf = (name: string): string[] => {
    const list = exemptions[name];
    return Array.isArray(list) ? list.filter((item) => typeof item === 'string') : [];
  };
  const names = {
    usernames: listOf('usernames'),
    runtimeClasses: listOf('runtimeClasses'),
    namespaces: listOf('namespaces'),
  };
  return { value: { podSecurity: { defaults: labels, exemptions: names } } };
}

function readImagePolicy(text: string, file: string, mounted: Mounted): Read<Found> {
  const { value, error } = parseYaml(text);
  if (error !== undefined) return { failure: error };
  const policy = isObject(value) && isObject(value['imagePolicy']) ? value['imagePolicy'] : undefined;
  const path = policy?.['kubeConfigFile'];
  if (typeof path !== 'string' || path === '') return { failure: 'empty kubeconfig file' };
  const kubeconfig = readMounted(besides(file, path), mounted);
  if (kubeconfig.failure !== undefined)
    return { failure: `stat ${path}: ${kubeconfig.failure.replace(/^open [^:]*: /, '')}` };
  return {
    value: { imagePolicy: { server: serverOf(kubeconfig.value), defaultAllow: policy?.['defaultAllow'] === true } },
  };
}

function serverOf(kubeconfig: string): string {
  const line = textOf(kubeconfig)
    .split('\n')
    .find((one) => one.trim().startsWith('server:'));
  return (
    line
      ?.slice(line.indexOf(':') + 1)
      .trim()
      .replaceAll('"', '') ?? ''
  );
}
