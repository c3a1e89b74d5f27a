import type { PodSpec } from '../../../../api/core_v1.js';
import { invalidValue, required, type FieldError, type Path } from '../../../../machinery/meta/field.js';
import { invalidEach, isDNS1123SubdomainWithUnderscore, isIP } from '../../../../machinery/meta/validation.js';

const [MAX_NAMESERVERS, MAX_SEARCHES, MAX_SEARCH_CHARACTERS] = [3, 32, 2048];

/** Models validatePodDNSConfig of pkg/apis/core/validation. */
export function validateDns({ dnsPolicy, dnsConfig }: PodSpec, at: Path, errors: FieldError[]): void {
  if (dnsPolicy === 'None') {
    if (!dnsConfig) return void errors.push(required(at, 'must provide `dnsConfig` when `dnsPolicy` is None'));
    if (!dnsConfig.nameservers?.length)
      return void errors.push(
        required(at.child('nameservers'), 'must provide at least one DNS nameserver when `dnsPolicy` is None'),
      );
  }
  if (!dnsConfig) return;
  const { nameservers = [], searches = [], options = [] } = dnsConfig;
  if (nameservers.length > MAX_NAMESERVERS)
    errors.push(
      invalidValue(at.child('nameservers'), nameservers, `must not have more than ${MAX_NAMESERVERS} nameservers`),
    );
  nameservers.forEach((ip, i) => errors.push(...invalidEach(at.child('nameservers').index(i), ip, isIP(ip))));
  if (searches.length > MAX_SEARCHES)
    errors.push(invalidValue(at.child('searches'), searches, `must not have more than ${MAX_SEARCHES} search paths`));
  if (searches.join(' ').length > MAX_SEARCH_CHARACTERS)
    errors.push(
      invalidValue(
        at.child('searches'),
        searches,
        `must not have more than ${MAX_SEARCH_CHARACTERS} characters (including spaces) in the search list`,
      ),
    );
  searches.forEach((search, i) => {
    const name = search.replace(/\.$/, '');
    if (search !== '.')
      errors.push(...invalidEach(at.child('searches').index(i), name, isDNS1123SubdomainWithUnderscore(name)));
  });
  options.forEach(({ name }, i) => name || errors.push(required(at.child('options').index(i), 'must not be empty')));
}
