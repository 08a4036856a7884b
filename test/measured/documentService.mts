import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export const MEGABYTE = 1024 * 1024;

/** Starts a service that takes documents and gives a recording of so many megabytes. */
export async function startDocumentService(recordingMegabytes: number) {
	const recording = Buffer.alloc(MEGABYTE, 'recording');
	const server = createServer(async (request, response) => {
		const path = (request.url ?? '').split('?')[0];
		if (path.endsWith('/recording.mp4')) {
			response.writeHead(200, {
				'content-type': 'video/mp4',
				'content-length': recordingMegabytes * MEGABYTE,
			});
			for (let sent = 0; sent < recordingMegabytes; sent++)
				if (!response.write(recording)) await once(response, 'drain');
			response.end();
			return;
		}
		await once(request.resume(), 'end');
		response.writeHead(200, { 'content-type': 'application/json' });
		response.end(JSON.stringify(answerTo(request, path)));
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	let made = 0;
	function answerTo({ method }: IncomingMessage, path: string): unknown {
		const id = path.split('/').at(-1);
		if (method === 'POST') return { id: `do_${made++}`, document_name: 'Deed' };
		if (path.includes('/notarization_records/'))
			return {
				id,
				notary_meetings: [{ id: 'mt_1', video_url: `${url}/recording.mp4` }],
				video_url: `${url}/recording.mp4`,
			};
		return { id, status: 'started', detailed_status: 'draft', documents: [], signers: [] };
	}
	return {
		url,
		close: () => {
			server.closeAllConnections();
			server.close();
		},
	};
}
