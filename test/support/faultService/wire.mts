import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import type { RequestEntry, ServiceOptions, Wire } from './types.mts';

interface Surroundings {
	entry: RequestEntry;
	options: ServiceOptions;
	origin: string;
	elsewhere: string;
	refuseConnections: () => void;
}

const TIMERS = new WeakMap<Socket, Set<NodeJS.Timeout>>();

/** The timers of strikes on a connection. They end with it. */
function timersOf(socket: Socket): Set<NodeJS.Timeout> {
	const known = TIMERS.get(socket);
	if (known) return known;
	const timers = new Set<NodeJS.Timeout>();
	TIMERS.set(socket, timers);
	socket.once('close', () => timers.forEach((timer) => clearTimeout(timer)));
	return timers;
}

/** The client's end of the line for one request. */
export function makeWire(
	request: IncomingMessage,
	response: ServerResponse,
	surroundings: Surroundings,
): Wire {
	const { socket } = request;
	const { entry, options } = surroundings;
	let ended = false;
	response.once('close', () => {
		if (!ended && !response.writableFinished) entry.aborted = true;
	});
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
		close(isWhole = false) {
			if (isWhole && !socket.destroyed) Object.assign(entry, { answered: true, status: 200 });
			ended = true;
			socket.end();
		},
		reset(bytes) {
			ended = true;
			if (bytes === undefined) return void socket.resetAndDestroy();
			if (socket.writable) socket.write(bytes);
			// What was written has to arrive before the reset does.
			timersOf(socket).add(setTimeout(() => socket.resetAndDestroy(), options.interval));
		},
		every(task) {
			if (!socket.destroyed) timersOf(socket).add(setInterval(task, options.interval));
		},
		later(task) {
			if (!socket.destroyed) timersOf(socket).add(setTimeout(task, options.slowMs));
		},
	};
	return wire;
}
