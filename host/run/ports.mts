import { createSocket } from 'node:dgram';
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
export const PORTS = { first: 20_000, last: 32_000 };
const ATTEMPTS = 200;

/**
 * Claims a port for as long as this process lives, so that no other process that asks here gets it,
 * also while its program is started or started again. The claim is the UDP port of the same number,
 * which the programs themselves don't use, and which the system frees whatever ends the process.
 * @returns whether nobody else has claimed it
 */
async function claim(port: number): Promise<boolean> {
	return await new Promise((resolve) => {
		const socket = createSocket('udp4').unref();
		socket.once('error', () => {
			socket.close();
			resolve(false);
		});
		socket.bind({ port, address: '127.0.0.1', exclusive: true }, () => resolve(true));
	});
}

/**
 * A port on which nothing listens, and that no other program of this package gets while this process
 * lives.
 */
export async function freePort(): Promise<number> {
	for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
		const port = PORTS.first + Math.floor(Math.random() * (PORTS.last - PORTS.first));
		if ((await isPortFree(port)) && (await claim(port))) return port;
	}
	throw new Error(`This machine has no free port between ${PORTS.first} and ${PORTS.last}`);
}
