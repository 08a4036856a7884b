/* Decides which hosts a link of an answer may lead to, and whether the service can call one. */

/** How near to this machine a host is, as far as its name tells. */
type HostPlace = 'loopback' | 'private' | 'linkLocal' | 'public';

const LOOPBACK_NAME = /(^|\.)localhost$/;
/** Names under which clouds offer secrets of a machine to whatever runs on it. */
const METADATA_NAME = /^(metadata|instance-data)(\.|$)/;

/**
 * Whether a link of an answer may be opened. Whoever can make the service answer a link must not
 * reach through n8n what only n8n's machine or its network can reach. A link to the base URL's own
 * host is always fine. Any other one needs https unless the base URL itself has none, a public host
 * unless the base URL's host is as near, and no user. Names aren't resolved here: n8n's own
 * protection against such requests checks the addresses.
 */
export function mayOpen(link: URL, base: URL): boolean {
	if (link.username !== '' || link.password !== '') return false;
	if (link.protocol !== 'https:' && (link.protocol !== 'http:' || base.protocol === 'https:'))
		return false;
	if (link.hostname === base.hostname) return true;
	const there = findHostPlace(link.hostname);
	return there === 'public' || (there !== 'linkLocal' && there === findHostPlace(base.hostname));
}

/** Names that mean something in a private network only. */
const PRIVATE_NAME = /\.(local|internal|lan)$/i;

/**
 * Says why the service can't call a URL.
 * @param callback URL that the service is to call
 * @param baseUrl URL of the service; one on the same machine or network may call local addresses
 * @returns undefined when nothing speaks against it
 */
export function describeUnreachable(callback: string, baseUrl: string): string | undefined {
	const [host, service] = [callback, baseUrl].map((url) =>
		URL.canParse(url) ? new URL(url).hostname : '',
	);
	const near = PRIVATE_NAME.test(host) ? 'private' : findHostPlace(host);
	if (near === 'public' || near === findHostPlace(service) || PRIVATE_NAME.test(service))
		return undefined;
	if (near === 'loopback') return `${host} is only reachable from this machine`;
	return findHostPlace(service) === 'public'
		? `${host} is only reachable from a private network`
		: undefined;
}

/** @param hostname as URL gives it, where every notation of an IPv4 address has become four numbers */
function findHostPlace(hostname: string): HostPlace {
	const host = hostname.toLowerCase().replace(/\.$/, '');
	if (host.startsWith('[')) return findPlaceOfIpv6(host.slice(1, -1));
	const numbers = /^(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(host)?.slice(1).map(Number);
	if (numbers !== undefined) return findPlaceOfIpv4(numbers);
	if (LOOPBACK_NAME.test(host)) return 'loopback';
	return METADATA_NAME.test(host) ? 'linkLocal' : 'public';
}

function findPlaceOfIpv4([a, b]: number[]): HostPlace {
	if (a === 127 || a === 0) return 'loopback';
	if (a === 169 && b === 254) return 'linkLocal';
	if (a === 10 || (a === 172 && b >= 16 && b < 32) || (a === 192 && b === 168)) return 'private';
	// Between a provider and its customers; a cloud's metadata is in it, too.
	if (a === 100 && b >= 64 && b < 128) return 'private';
	// For tests of networks, for many receivers, and reserved: no host of a service.
	if ((a === 198 && (b === 18 || b === 19)) || a >= 224) return 'linkLocal';
	return 'public';
}

/** The beginnings of IPv6 addresses whose last 32 bits are an IPv4 address. */
const BEFORE_IPV4 = ['0:0:0:0:0:0', '0:0:0:0:0:ffff', '0:0:0:0:ffff:0', '64:ff9b:0:0:0:0'];

function findPlaceOfIpv6(address: string): HostPlace {
	const groups = parseGroups(address);
	const last = groups[7];
	if (groups.slice(0, 7).every((group) => group === 0) && last <= 1) return 'loopback';
	const start = groups.slice(0, 6).map((group) => group.toString(16));
	if (BEFORE_IPV4.includes(start.join(':'))) return findPlaceOfGroups(groups[6], last);
	// 6to4, which begins with an IPv4 address.
	if (groups[0] === 0x2002) return findPlaceOfGroups(groups[1], groups[2]);
	if ((groups[0] & 0xfe00) === 0xfc00) return 'private';
	// Link-local, the former site-local, and for many receivers.
	return groups[0] >= 0xfe80 ? 'linkLocal' : 'public';
}

/** The eight numbers of an IPv6 address, in which one run of zeros may be left out. */
function parseGroups(address: string): number[] {
	const [before, after] = address
		.split('::')
		.map((half) => half.split(':').flatMap((group) => (group === '' ? [] : parseInt(group, 16))));
	if (after === undefined) return before;
	const zeros = new Array<number>(8 - before.length - after.length).fill(0);
	return [...before, ...zeros, ...after];
}

function findPlaceOfGroups(high: number, low: number): HostPlace {
	return findPlaceOfIpv4([high >> 8, high & 255, low >> 8, low & 255]);
}
