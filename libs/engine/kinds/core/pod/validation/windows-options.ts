/** Models ValidateWindowsSecurityContextOptions and validateWindowsHostProcessPod of pkg/apis/core/validation. */
import type { PodSpec, WindowsSecurityContextOptions } from '../../../../api/core_v1.js';
import { invalidValue, type FieldError, type Path } from '../../../../machinery/meta/field.js';
import { invalidEach, isDNS1123Subdomain } from '../../../../machinery/meta/validation.js';
import { visitContainersWithPath } from '../visit-containers.js';

const [MAX_SPEC_KIB, MAX_DOMAIN, MAX_USER] = [64, 256, 104];
const NETBIOS = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/;
const DNS_LABEL = '[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?';
const DNS = new RegExp(`^${DNS_LABEL}(?:\\.${DNS_LABEL})*$`);
const NOT_IN_USERS = /["/\\:;|=,+*?<>@[\]]/;

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
        validateRunAsUserName(runAsUserName).map((fault) => `runAsUserName${fault}`),
      ),
    );
}

function validateRunAsUserName(text: string): string[] {
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

/** Either all containers are host processes or none, and only a pod on the host's network has any. */
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
