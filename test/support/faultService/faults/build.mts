import type { Answer, Fault, FaultGroup, Reaches, Target, Wire } from '../types.mts';

/** What the tables of faults are made with. */

/** `answer` is the honest answer, undefined where nothing was done yet. */
export type Strike = (wire: Wire, answer: Answer | undefined, target: Target) => void;

/**
 * Faults of one group that reach the client alike. `before`: the work was not done. `after`: it was
 * done, and the answer suffers. For a read there's no difference, so of `both` only the first strikes
 * it.
 * @param on which requests they can strike
 */
export function faults(
	group: FaultGroup,
	when: Fault['when'] | 'both',
	reaches: Reaches,
	on: (target: Target) => boolean,
	strikes: Record<string, Strike>,
	flags: Pick<Fault, 'unread' | 'heavy' | 'endless' | 'rewrite' | 'laterS'> = {},
): Fault[] {
	const moments = when === 'both' ? (['before', 'after'] as const) : [when];
	return Object.entries(strikes).flatMap(([name, strike]) =>
		moments.map((moment) => ({
			name: `${group}:${name}/${moment}${flags.laterS === undefined ? '' : `-${flags.laterS}s`}`,
			group,
			when: moment,
			reaches,
			...flags,
			appliesTo: (target) => on(target) && (when !== 'both' || moment === 'before' || target.write),
			strike: (target, wire, answer) => strike(wire, answer, target),
		})),
	);
}

/** The seconds after which a write is done whose answer was lost: soon, while it's looked for, late. */
export const LATER_S = [0.3, 3, 70] as const;

/** Faults of writes that are done later. */
export const lateFaults = (
	group: FaultGroup,
	reaches: Reaches,
	strikes: Record<string, Strike>,
): Fault[] =>
	LATER_S.flatMap((laterS) =>
		faults(group, 'later', reaches, ({ write }) => write, strikes, { laterS }),
	);

export const always = () => true;
/** Whether the honest answer is JSON. */
export const isJson = ({ kind }: Target) => kind !== 'file' && kind !== 'none';
/** Whether the honest answer is one thing with an id. */
export const isThing = ({ kind }: Target) => kind === 'object' || kind === 'encoded';
export const isEncoded = ({ kind }: Target) => kind === 'encoded';
export const isPage = ({ kind }: Target) => kind === 'page';
export const isList = ({ kind }: Target) => kind === 'list' || kind === 'page';
export const isFile = ({ kind }: Target) => kind === 'file';
export const hasAnswer = ({ kind }: Target) => kind !== 'none';
export const hasBody = (target: Target) => target.hasBody;

const FILLER = Buffer.from('{"id":"ot_nothing","status":"started","note":"nothing was done"}');

/** The bytes of the honest answer, or a likely one where nothing was done. */
export const bodyOf = (answer: Answer | undefined): Buffer =>
	answer && answer.body.length > 0 ? answer.body : FILLER;

export const typeOf = (answer: Answer | undefined) =>
	answer?.headers['content-type'] ?? 'application/json';

/** The head of an answer as it goes on the wire, with the empty line. */
export function head(status: string, headers: Record<string, string | number>): string {
	const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
	return `HTTP/1.1 ${status}\r\n${lines.join('')}\r\n`;
}

/** A head that promises `extra` bytes more than there are. */
export const headOf = (answer: Answer | undefined, extra = 0) =>
	head('200 OK', {
		'Content-Type': typeOf(answer),
		'Content-Length': bodyOf(answer).length + extra,
	});

/** Answers with this text, whatever the honest answer is. */
export const text =
	(body: string | Buffer, { status = 200, type = 'application/json', ...headers } = {}): Strike =>
	(wire) =>
		wire.reply(status, { 'content-type': type, ...headers }, body);

export const json = (value: unknown, status = 200): Strike =>
	text(JSON.stringify(value), { status });

/** Answers with the honest value after a change. */
export const altered =
	(change: (value: any, target: Target) => unknown): Strike =>
	(wire, answer, target) =>
		json(change(structuredClone(answer?.json), target), answer?.status)(wire, answer, target);

/** Answers with the honest bytes after a change. */
export const rewritten =
	(change: (body: Buffer) => Buffer | string, headers: Record<string, string> = {}): Strike =>
	(wire, answer) =>
		wire.reply(
			answer?.status ?? 200,
			{ 'content-type': typeOf(answer), ...headers },
			change(bodyOf(answer)),
		);

/** Writes these bytes as they are, and ends the connection. */
export const bytes =
	(make: (answer: Answer | undefined) => string | Buffer): Strike =>
	(wire, answer) => {
		wire.raw(make(answer));
		wire.close();
	};
