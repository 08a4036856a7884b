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

/** A free port on loopback. */
export async function freePort(): Promise<number> {
	const port = await tryPort(0, '127.0.0.1');
	if (port === undefined) throw new Error('This machine has no free port on 127.0.0.1');
	return port;
}
