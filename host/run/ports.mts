import { createServer } from 'node:net';

/**
 * Listens on a port for a moment; 0 means any free one.
 * @returns the port's number, or undefined when it is in use
 */
async function tryPort(port: number, host: string): Promise<number | undefined> {
	return await new Promise((resolve) => {
		const server = createServer();
		server.once('error', () => resolve(undefined));
		server.listen({ port, host, exclusive: true }, () => {
			const address = server.address();
			server.close(() =>
				resolve(typeof address === 'object' && address !== null ? address.port : undefined),
			);
		});
	});
}

/** Whether nothing listens on a port, neither on loopback nor on all addresses. */
export async function isPortFree(port: number): Promise<boolean> {
	return (
		(await tryPort(port, '127.0.0.1')) !== undefined &&
		(await tryPort(port, '0.0.0.0')) !== undefined
	);
}

/**
 * Systems take the ports of outgoing connections from 32768 upwards (Linux) or 49152 (macOS,
 * Windows). A port from there could be taken between the moment it's chosen and the moment its
 * program listens.
 */
const PORTS = { first: 20_000, last: 32_000 };
const ATTEMPTS = 200;

/**
 * A port on which nothing listens, and on which nothing else is likely to listen soon: it's chosen
 * at random, because several programs that start at the same time look for one.
 */
export async function freePort(): Promise<number> {
	for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
		const port = PORTS.first + Math.floor(Math.random() * (PORTS.last - PORTS.first));
		if (await isPortFree(port)) return port;
	}
	throw new Error(`This machine has no free port between ${PORTS.first} and ${PORTS.last}`);
}
