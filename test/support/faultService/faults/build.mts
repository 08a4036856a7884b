import type { Answer, Fault, FaultGroup, Target, Wire } from '../types.mts';

/** What the tables of faults are made with. */

type Part = Pick<Fault, 'reaches' | 'strike' | 'unread' | 'heavy' | 'endless' | 'rewrite'> & {
	appliesTo?: (target: Target) => boolean;
};

const anything = () => true;

/** The work was not done. */
export function before(group: FaultGroup, name: string, part: Part): Fault {
	return { appliesTo: anything, ...part, name: `${name}/before`, group, when: 'before' };
}

/** The work was done, and the answer suffers. */
export function after(group: FaultGroup, name: string, part: Part): Fault {
	return { appliesTo: anything, ...part, name: `${name}/after`, group, when: 'after' };
}

/** Both variants. For a read there is no difference, so only the first one strikes it. */
export function both(group: FaultGroup, name: string, part: Part): Fault[] {
	const { appliesTo = anything } = part;
	return [
		before(group, name, part),
		after(group, name, { ...part, appliesTo: (target) => target.write && appliesTo(target) }),
	];
}

/** Whether the honest answer is JSON. */
export function isJson({ kind }: Target): boolean {
	return kind !== 'file' && kind !== 'none';
}

/** Whether the honest answer is one thing with an id. */
export function isThing({ kind }: Target): boolean {
	return kind === 'object' || kind === 'encoded';
}

export function isList({ kind }: Target): boolean {
	return kind === 'list' || kind === 'page';
}

export function isFile({ kind }: Target): boolean {
	return kind === 'file';
}

const FILLER = Buffer.from('{"id":"ot_nothing","status":"started","note":"nothing was done"}');

/** The bytes of the honest answer, or a likely one where nothing was done. */
export function bodyOf(answer: Answer | undefined): Buffer {
	return answer && answer.body.length > 0 ? answer.body : FILLER;
}

export function typeOf(answer: Answer | undefined): string {
	return answer?.headers['content-type'] ?? 'application/json';
}

/** The head of an answer as it goes on the wire, with the empty line. */
export function head(status: string, headers: Record<string, string | number>): string {
	const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
	return `HTTP/1.1 ${status}\r\n${lines.join('')}\r\n`;
}

export function sendJson(wire: Wire, value: unknown, status = 200): void {
	wire.reply(status, { 'content-type': 'application/json' }, JSON.stringify(value));
}

/** Sends a text of one's own as JSON. */
export function sendText(wire: Wire, text: string | Buffer, type = 'application/json'): void {
	wire.reply(200, { 'content-type': type }, text);
}

/** Answers with the honest value after a change. */
export function altered(change: (value: any, target: Target) => unknown): Fault['strike'] {
	return (target, wire, answer) =>
		sendJson(wire, change(structuredClone(answer?.json), target), answer?.status ?? 200);
}

/** Answers with the honest bytes and type after a change. */
export function rewritten(
	change: (body: Buffer) => Buffer | string,
	headers: (answer: Answer | undefined) => Record<string, string> = () => ({}),
): Fault['strike'] {
	return (_target, wire, answer) =>
		wire.reply(
			answer?.status ?? 200,
			{ 'content-type': typeOf(answer), ...headers(answer) },
			change(bodyOf(answer)),
		);
}

/** Writes the same piece again and again, as fast as it is read, until `bytes` have left. */
export function pour(wire: Wire, piece: Buffer, bytes: number, then: () => void): void {
	let left = bytes;
	const go = () => {
		while (left > 0) {
			if (wire.socket.destroyed) return;
			left -= piece.length;
			if (!wire.socket.write(piece)) {
				wire.socket.once('drain', go);
				return;
			}
		}
		then();
	};
	go();
}
