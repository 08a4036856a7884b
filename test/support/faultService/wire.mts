import type { IncomingMessage, ServerResponse } from 'node:http';

import type { RequestEntry, ServiceOptions, Wire } from './types.mts';

interface Surroundings {
	entry: RequestEntry;
	options: ServiceOptions;
	origin: string;
	elsewhere: string;
	refuseConnections: () => void;
}

/** The client's end of the line for one request. */
export function makeWire(
	request: IncomingMessage,
	response: ServerResponse,
	surroundings: Surroundings,
): Wire {
	const { socket } = request;
	const { entry, options } = surroundings;
	// A client that breaks the connection is part of what is tested.
	socket.on('error', () => {});
	const timers = new Set<NodeJS.Timeout>();
	socket.once('close', () => timers.forEach((timer) => clearTimeout(timer)));
	const wire: Wire = {
		request,
		response,
		socket,
		...surroundings,
		reply(status, headers, body = '') {
			if (socket.destroyed) return;
			entry.status = status;
			const empty = status === 204 || status === 304 || status < 200;
			const bytes = empty ? Buffer.alloc(0) : Buffer.from(body);
			const length = empty ? {} : { 'content-length': String(bytes.length) };
			response.once('finish', () => (entry.answered = true));
			response.writeHead(status, { ...length, ...headers });
			response.end(bytes);
		},
		raw(bytes) {
			if (socket.writable) socket.write(bytes);
		},
		close() {
			socket.end();
		},
		reset(bytes) {
			if (bytes === undefined) return void socket.resetAndDestroy();
			if (socket.writable) socket.write(bytes);
			// What was written has to arrive before the reset does.
			timers.add(setTimeout(() => socket.resetAndDestroy(), options.interval));
		},
		every(task) {
			if (!socket.destroyed) timers.add(setInterval(task, options.interval));
		},
		later(task) {
			if (!socket.destroyed) timers.add(setTimeout(task, options.slowMs));
		},
	};
	return wire;
}
