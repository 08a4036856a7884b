/**
 * Node.js loads this before n8n (node --require). It does two things:
 *
 * 1. It stops n8n's own hosts from resolving. n8n calls them when it starts and when it installs
 *    packages (license, package status, telemetry). Without them nothing depends on the network and
 *    nothing is reported. With SIGN_AND_CLOSE_OUTSIDE=closed only loopback names resolve.
 * 2. It ends n8n when the process that started n8n is gone, so that a killed test run leaves no
 *    process behind.
 */
const dns = require('node:dns');

const OWN_HOSTS = /(^|\.)(n8n\.io|n8n\.cloud|posthog\.com|sentry\.io)$/;
const LOOPBACK = /^(localhost|.*\.localhost|127\.[\d.]+|::1|\[::1\])$/;
const ORPHAN_CHECK_MS = 1000;

const closed = process.env.SIGN_AND_CLOSE_OUTSIDE === 'closed';
const isBlocked = (name) => OWN_HOSTS.test(name) || (closed && !LOOPBACK.test(name));
const notFound = (name) =>
	Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), {
		code: 'ENOTFOUND',
		syscall: 'getaddrinfo',
		hostname: name,
	});

const { lookup } = dns;
dns.lookup = Object.assign(function (name, options, callback) {
	const done = typeof options === 'function' ? options : callback;
	if (typeof name === 'string' && isBlocked(name)) return process.nextTick(done, notFound(name));
	return lookup.call(dns, name, options, callback);
}, lookup);
const lookupPromise = dns.promises.lookup;
dns.promises.lookup = async (name, options) => {
	if (isBlocked(name)) throw notFound(name);
	return await lookupPromise.call(dns.promises, name, options);
};

const parent = process.ppid;
setInterval(() => {
	if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM');
}, ORPHAN_CHECK_MS).unref();
