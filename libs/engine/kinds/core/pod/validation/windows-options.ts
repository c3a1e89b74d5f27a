/**
 * Pods for Windows. Models validateWindows, validateWindowsHostProcessPod, validateLinux of pkg/apis/core/validation.
 */
import type { PodSpec, WindowsSecurityContextOptions } from '../../../../api/core_v1.js';
import { forbiddenField, invalidValue, type FieldError, type Path } from '../../../../machinery/meta/field.js';
import { invalidEach, isDNS1123Subdomain } from '../../../../machinery/meta/validation.js';
import { visitContainersWithPath } from '../visit-containers.js';

const [MAX_SPEC_KIB, MAX_DOMAIN, MAX_USER] = [64, 256, 104];
const NETBIOS = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/;
const DNS_LABEL = '[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?';
const DNS = new RegExp(`^${DNS_LABEL}(?:\\.${DNS_LABEL})*$`);
const NOT_IN_USERS = /["/\\:;|=,+*?<>@[\]]/;
const POD_CONTEXT = [
  'fsGroup',
  'fsGroupChangePolicy',
  'sysctls',
  'shareProcessNamespace',
  'runAsUser',
  'runAsGroup',
  'supplementalGroups',
  'supplementalGroupsPolicy',
  'seLinuxChangePolicy',
] as const;
const CONTAINER_CONTEXT = [
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'capabilities',
  'readOnlyRootFilesystem',
  'privileged',
  'allowPrivilegeEscalation',
  'procMount',
  'runAsUser',
  'runAsGroup',
] as const;

export function validateWindowsSecurityContextOptions(
  options: WindowsSecurityContextOptions | undefined,
  path: Path,
  errors: FieldError[],
): void {
  if (!options) return;
  const { gmsaCredentialSpecName: name, gmsaCredentialSpec: spec, runAsUserName } = options;
  if (name !== undefined)
    errors.push(...invalidEach(path.child('gmsaCredentialSpecName'), name, isDNS1123Subdomain(name)));
  if (spec === '')
    errors.push(invalidValue(path.child('gmsaCredentialSpec'), spec, 'gmsaCredentialSpec cannot be an empty string'));
  else if (spec !== undefined && spec.length > MAX_SPEC_KIB * 1024)
    errors.push(
      invalidValue(path.child('gmsaCredentialSpec'), spec, `gmsaCredentialSpec size must be under ${MAX_SPEC_KIB} KiB`),
    );
  if (runAsUserName !== undefined)
    errors.push(
      ...invalidEach(
        path.child('runAsUserName'),
        runAsUserName,
        userFaults(runAsUserName).map((fault) => `runAsUserName${fault}`),
      ),
    );
}

function userFaults(text: string): string[] {
  if (text === '') return [' cannot be an empty string'];
  if (/[\0-\x1f\x7f]/.test(text)) return [' cannot contain control characters'];
  const parts = text.split('\\');
  if (parts.length > 2) return [' cannot contain more than one backslash'];
  const [user, domain] = [parts.at(-1)!, parts.length === 2 ? parts[0]! : undefined];
  const faults: string[] = [];
  if (domain !== undefined && domain.length >= MAX_DOMAIN)
    faults.push(`'s Domain length must be under ${MAX_DOMAIN} characters`);
  if (domain !== undefined && !NETBIOS.test(domain) && !DNS.test(domain))
    faults.push("'s Domain doesn't match the NetBios nor the DNS format");
  if (user === '') faults.push("'s User cannot be empty");
  else if (user.length > MAX_USER) faults.push(`'s User length must not be longer than ${MAX_USER} characters`);
  if (/^[. ]+$/.test(user)) faults.push("'s User cannot contain only periods or spaces");
  if (NOT_IN_USERS.test(user)) faults.push(`'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]`);
  return faults;
}

/** Host processes: all containers or none, and only on the host's network. */
export function validateWindowsHostProcessPod(spec: PodSpec, path: Path, errors: FieldError[]): void {
  const ofPod = spec.securityContext?.windowsOptions?.hostProcess;
  let [all, host] = [0, 0];
  visitContainersWithPath(spec, path, (container, at) => {
    const own = container.securityContext?.windowsOptions?.hostProcess;
    all++;
    if (own ?? ofPod) host++;
    if (ofPod === undefined || own === undefined || ofPod === own) return;
    errors.push(
      invalidValue(
        at.child('securityContext', 'windowsOptions', 'hostProcess'),
        own,
        `pod hostProcess value must be identical if both are specified, was ${ofPod}`,
      ),
    );
  });
  if (host === 0) return;
  if (host !== all)
    errors.push(
      invalidValue(
        path,
        '',
        'If pod contains any hostProcess containers then all containers must be HostProcess containers',
      ),
    );
  if (!spec.hostNetwork)
    errors.push(
      invalidValue(
        path.child('hostNetwork'),
        false,
        'hostNetwork must be true if pod contains any hostProcess containers',
      ),
    );
}

export function validateLinux(spec: PodSpec, path: Path, errors: FieldError[]): void {
  const refuse = (at: Path): number =>
    errors.push(
      forbiddenField(at.child('securityContext', 'windowsOptions'), 'windows options cannot be set for a linux pod'),
    );
  if (spec.securityContext?.windowsOptions) refuse(path);
  visitContainersWithPath(spec, path, (container, at) => container.securityContext?.windowsOptions && refuse(at));
}

export function validateWindows(spec: PodSpec, path: Path, errors: FieldError[]): void {
  const refuse = (at: Path): number => errors.push(forbiddenField(at, 'cannot be set for a windows pod'));
  const context = spec.securityContext;
  const at = path.child('securityContext');
  for (const field of ['appArmorProfile', 'seLinuxOptions'] as const) if (context?.[field]) refuse(at.child(field));
  if (spec.hostUsers !== undefined) refuse(path.child('hostUsers'));
  for (const field of ['hostPID', 'hostIPC'] as const) if (spec[field]) refuse(path.child(field));
  if (context?.seccompProfile) refuse(at.child('seccompProfile'));
  for (const field of POD_CONTEXT) {
    if (field === 'shareProcessNamespace') {
      if (spec.shareProcessNamespace !== undefined) refuse(path.child(field));
    } else if (context?.[field] !== undefined) refuse(at.child(field));
  }
  visitContainersWithPath(spec, path, (container, own) => {
    for (const field of CONTAINER_CONTEXT)
      if (container.securityContext?.[field] !== undefined) refuse(own.child('securityContext', field));
  });
}
