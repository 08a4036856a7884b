/**
 * Loaded into n8n before itself (node --require).
 *
 * 1. n8n asks hosts of its own at start and while it installs packages (licence, package status,
 * registry). Here they do not resolve: nothing
 * depends on the outside, and nothing is reported there. With SIGN_AND_CLOSE_OUTSIDE=closed no name
 * but loopback resolves.
 * 2. When the process that started n8n is gone, n8n goes too: a killed test run leaves nothing
 * behind.
 */
const dns = require('node:dns');

const OWN_HOSTS = /(^|\.)(n8n\.io|n8n\.cloud|posthog\.com|sentry\.io)$/;
const LOOPBACK = /^(localhost|.*\.localhost|127\.[\d.]+|::1|\[::1\])$/;
const ORPHAN_CHECK_MS = 1000;

const closed = process.env.SIGN_AND_CLOSE_OUTSIDE === 'closed';
const isShut = (name) => OWN_HOSTS.test(name) || (closed && !LOOPBACK.test(name));
const refusal = (name) =>
	Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), {
		code: 'ENOTFOUND',
		syscall: 'getaddrinfo',
		hostname: name,
	});

const { lookup } = dns;
dns.lookup = Object.assign(function (name, options, callback) {
	const done = typeof options === 'function' ? options : callback;
	if (typeof name === 'string' && isShut(name)) return process.nextTick(done, refusal(name));
	return lookup.call(dns, name, options, callback);
}, lookup);
const lookupPromise = dns.promises.lookup;
dns.promises.lookup = async (name, options) => {
	if (isShut(name)) throw refusal(name);
	return await lookupPromise.call(dns.promises, name, options);
};

const parent = process.ppid;
setInterval(() => {
	if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM');
}, ORPHAN_CHECK_MS).unref();
