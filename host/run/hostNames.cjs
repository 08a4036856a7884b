/** Which names of hosts a process can look up. */
const dns = require('node:dns');
const { isIP } = require('node:net');

/** The names of this machine itself. */
const LOOPBACK = /^(.*\.)?localhost$/;

const notFound = (name) =>
	Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), {
		code: 'ENOTFOUND',
		syscall: 'getaddrinfo',
		hostname: name,
	});

/** From now on, these names aren't found, and no server is asked for them. */
function blockNames(isBlocked) {
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
}

/** An address needs no server of names. */
const isOutside = (name) => isIP(name) === 0 && !LOOPBACK.test(name);

module.exports = { blockNames, isOutside };
