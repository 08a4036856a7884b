/**
 * Node.js loads this before n8n (node --require). It does two things:
 *
 * 1. It stops n8n's own hosts from resolving. n8n calls them when it starts and when it installs
 *    packages (license, package status, telemetry). Without them nothing depends on the network and
 *    nothing is reported. With SIGN_AND_CLOSE_OUTSIDE=closed only loopback names resolve.
 * 2. It ends n8n when the process that started n8n is gone, so that a killed test run leaves no
 *    process behind.
 */
const { blockNames, isOutside } = require('./hostNames.cjs');

const OWN_HOSTS = /(^|\.)(n8n\.io|n8n\.cloud|posthog\.com|sentry\.io)$/;
const ORPHAN_CHECK_MS = 1000;

const isClosed = process.env.SIGN_AND_CLOSE_OUTSIDE === 'closed';
blockNames((name) => OWN_HOSTS.test(name) || (isClosed && isOutside(name)));

const parent = process.ppid;
setInterval(() => {
	if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM');
}, ORPHAN_CHECK_MS).unref();
