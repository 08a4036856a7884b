import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';

/** A completed closing with many documents and a long recording, at a service with slow connections. */

const MEGABYTE = 1024 * 1024;
const PIECE = 256 * 1024;

export interface PackageOptions {
	documents: number;
	documentMegabytes: number;
	recordingMegabytes: number;
	/** What each connection gives in a second. */
	megabytesPerSecond: number;
	/** How many files the links of one answer open. After that, they have expired. */
	opensPerAnswer: number;
}

/** What the service has given, by the last parts of paths. */
export interface Served {
	/** Hashes of the bytes that went out, once for each time that a file went out whole. */
	sha256: Record<string, string[]>;
	/** How many links were refused. */
	expired: number;
}

/** Starts the service. `GET /served` tells what it has given. */
export async function startPackageService(options: PackageOptions) {
	const { documents, documentMegabytes, recordingMegabytes, opensPerAnswer } = options;
	const served: Served = { sha256: {}, expired: 0 };
	/** How many files the links of each answer have opened. */
	const opened: number[] = [];

	/** Sends bytes that no other file has, at the speed of a connection. */
	async function send(response: ServerResponse, name: string, type: string, bytes: number) {
		const hash = createHash('sha256');
		const began = Date.now();
		const pieces = async function* () {
			for (let sent = 0; sent < bytes;) {
				const piece = Buffer.alloc(Math.min(PIECE, bytes - sent), `%PDF-1.7 ${name} ${sent}\n`);
				sent += piece.length;
				hash.update(piece);
				if (sent === bytes) (served.sha256[name] ??= []).push(hash.digest('hex'));
				yield piece;
				const due = began + (sent / MEGABYTE / options.megabytesPerSecond) * 1000;
				if (due > Date.now()) await wait(due - Date.now());
			}
		};
		response.writeHead(200, { 'content-type': type, 'content-length': bytes });
		await pipeline(pieces, response);
	}

	const server = createServer((request, response) => {
		const [path] = (request.url ?? '').split('?');
		const [, first, answer, name = ''] = path.split('/');
		if (first === 'file') {
			if (++opened[Number(answer)] > opensPerAnswer) {
				served.expired++;
				return void response.writeHead(403).end();
			}
			const isRecording = name === 'recording';
			const megabytes = isRecording ? recordingMegabytes : documentMegabytes;
			const type = isRecording ? 'video/mp4' : 'application/pdf';
			// Whoever leaves in the middle hasn't got the file.
			return void send(response, name, type, megabytes * MEGABYTE).catch(() => undefined);
		}
		response.setHeader('content-type', 'application/json');
		response.end(JSON.stringify(path === '/served' ? served : answerTo(path)));
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

	function answerTo(path: string): unknown {
		const links = `${url}/file/${opened.push(0) - 1}`;
		if (path.includes('/notarization_records/'))
			return { id: 'me_1', video_url: `${links}/recording`, signers: [], notarized_documents: [] };
		return {
			id: 'ot_1',
			status: 'completed',
			detailed_status: 'complete',
			loan_number: '7001',
			audit_trail_url: `${links}/trail`,
			notarization_record: 'me_1',
			documents: Array.from({ length: documents }, (_, index) => ({
				id: `do_${index}`,
				document_name: `Document ${index}`,
				final_document_url: `${links}/document-${index}`,
			})),
		};
	}
	return {
		url,
		close: () => {
			server.closeAllConnections();
			server.close();
		},
	};
}
