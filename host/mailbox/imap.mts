import { EventEmitter } from 'node:events';
import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

import { findSection, formatStructure } from './imapAnswers.mts';
import { parseMime } from './mime.mts';

/*
 * IMAP (RFC 3501) and IDLE (RFC 2177) for one mailbox, as far as n8n's Email Trigger uses them.
 * Everybody may log in.
 */

export interface StoredMail {
	uid: number;
	/** With one character a byte. */
	raw: string;
	received: Date;
	flags: Set<string>;
}

/** The mails of one mailbox. Emits "mail" for each new one. */
export class Inbox extends EventEmitter {
	readonly mails: StoredMail[] = [];
	/** n8n remembers the latest one that it has seen, so a number is never that of an earlier start. */
	readonly firstUid = Math.floor(Date.now() / 1000);

	add(raw: string): void {
		const uid = this.firstUid + this.mails.length;
		this.mails.push({ uid, raw, received: new Date(), flags: new Set() });
		this.emit('mail');
	}
}

/** A connection of a client. */
class Session {
	readonly #socket: Socket;
	readonly #inbox: Inbox;
	/** What has come of a line that isn't complete. */
	#pending = '';
	#idleTag: string | undefined;

	constructor(socket: Socket, inbox: Inbox) {
		this.#socket = socket;
		this.#inbox = inbox;
		// Also before the client waits for it, which n8n's begins to do only after some seconds.
		const tellCount = () => this.#send(`* ${inbox.mails.length} EXISTS`);
		inbox.on('mail', tellCount);
		socket.on('close', () => inbox.off('mail', tellCount));
		socket.on('error', () => socket.destroy());
		socket.setEncoding('latin1').on('data', (text) => this.#receive(String(text)));
		this.#send('* OK Mailbox of the office');
	}

	#send(...lines: string[]): void {
		this.#socket.write(`${lines.join('\r\n')}\r\n`, 'latin1');
	}

	#receive(text: string): void {
		const lines = (this.#pending + text).split('\r\n');
		this.#pending = lines.pop()!;
		for (const line of lines) this.#answer(line);
	}

	#answer(line: string): void {
		if (this.#idleTag !== undefined) {
			const tag = this.#idleTag;
			this.#idleTag = undefined;
			return this.#send(`${tag} OK Done`);
		}
		const [, tag, command, args] = /^(\S+) ((?:UID )?\S+) ?(.*)$/i.exec(line) ?? ['', '*', '', ''];
		const name = command.toUpperCase();
		if (name === 'IDLE') {
			this.#idleTag = tag;
			return this.#send('+ Waiting');
		}
		if (name in ANSWERS) this.#send(...ANSWERS[name](this.#inbox, args), `${tag} OK Done`);
		else this.#send(`${tag} BAD Unknown command`);
		if (name === 'LOGOUT') this.#socket.end();
	}
}

const ANSWERS: Record<string, (inbox: Inbox, args: string) => string[]> = {
	CAPABILITY: () => ['* CAPABILITY IMAP4rev1 IDLE'],
	LOGIN: () => [],
	NOOP: () => [],
	CLOSE: () => [],
	LOGOUT: () => ['* BYE Goodbye'],
	LIST: (_inbox, args) => [
		args.endsWith('""') ? '* LIST (\\Noselect) "/" ""' : '* LIST () "/" INBOX',
	],
	LSUB: () => ['* LSUB () "/" INBOX'],
	STATUS: ({ mails }) => [`* STATUS INBOX (MESSAGES ${mails.length})`],
	SELECT: ({ mails, firstUid }) => [
		'* FLAGS (\\Seen \\Deleted)',
		`* ${mails.length} EXISTS`,
		'* OK [PERMANENTFLAGS (\\Seen \\Deleted)] Flags',
		'* OK [UIDVALIDITY 1] Valid',
		`* OK [UIDNEXT ${firstUid + mails.length}] Next`,
	],
	'UID SEARCH': (inbox, args) => [
		['* SEARCH', ...search(inbox, args).map(({ uid }) => uid)].join(' '),
	],
	'UID FETCH': (inbox, args) => {
		const [, uids, items] = /^(\S+) \(?(.*?)\)?$/.exec(args)!;
		return findRange(inbox, uids).map((mail) => formatFetch(inbox, mail, items));
	},
	'UID STORE': (inbox, args) => {
		const [, uids, flags] = /^(\S+) \+FLAGS\S* \((.*)\)$/i.exec(args)!;
		return findRange(inbox, uids).map((mail) => {
			for (const flag of flags.split(' ')) mail.flags.add(flag.toLowerCase());
			return formatFetch(inbox, mail, 'FLAGS');
		});
	},
};

/** The mails that meet all criteria: what's unread, since a day, or in a range of UIDs. */
function search(inbox: Inbox, criteria: string): StoredMail[] {
	let found = inbox.mails;
	for (const [, name, value] of criteria.matchAll(/(UNSEEN|SEEN|SINCE|UID)(?: "?([^ "]+)"?)?/gi)) {
		const kept = {
			UNSEEN: ({ flags }: StoredMail) => !flags.has('\\seen'),
			SEEN: ({ flags }: StoredMail) => flags.has('\\seen'),
			SINCE: ({ received }: StoredMail) => received >= new Date(value),
			UID: (mail: StoredMail) => findRange(inbox, value).includes(mail),
		}[name.toUpperCase()]!;
		found = found.filter(kept);
	}
	return found;
}

/** The mails of a set such as `5,8:*`, whose end is always the latest one. */
function findRange({ mails }: Inbox, set: string): StoredMail[] {
	const last = mails.at(-1)?.uid ?? 0;
	const read = (text: string) => (text === '*' ? last : Number(text));
	const ranges = set.split(',').map((range) => {
		const [from, to] = range.split(':').map(read);
		return [Math.min(from, to ?? from), Math.max(from, to ?? from)];
	});
	return mails.filter(({ uid }) => ranges.some(([from, to]) => uid >= from && uid <= to));
}

const ITEM = /BODY(?:\.PEEK)?\[([^\]]*)\](?:<(\d+)\.(\d+)>)?|[A-Z0-9.]+/gi;

/** What FETCH tells of a mail: its UID always, and each item that was asked for. */
function formatFetch({ mails }: Inbox, mail: StoredMail, items: string): string {
	const told = [...items.matchAll(ITEM)].flatMap(([item, section, start, length]) => {
		const name = item.toUpperCase();
		if (section !== undefined) {
			const whole = findSection(mail.raw, section.toUpperCase());
			const from = Number(start ?? 0);
			const text = start === undefined ? whole : whole.slice(from, from + Number(length));
			return `BODY[${section}]${start === undefined ? '' : `<${start}>`} {${text.length}}\r\n${text}`;
		}
		if (name === 'FLAGS') return `FLAGS (${[...mail.flags].join(' ')})`;
		if (name === 'BODYSTRUCTURE') return `BODYSTRUCTURE ${formatStructure(parseMime(mail.raw))}`;
		if (name === 'RFC822.SIZE') return `RFC822.SIZE ${mail.raw.length}`;
		return [];
	});
	return `* ${mails.indexOf(mail) + 1} FETCH (${[`UID ${mail.uid}`, ...told].join(' ')})`;
}

/** Serves a mailbox on a free port of 127.0.0.1. */
export async function startImap(
	inbox: Inbox,
): Promise<{ port: number; close: () => Promise<void> }> {
	const sockets = new Set<Socket>();
	const server = createServer((socket) => {
		sockets.add(socket);
		socket.on('close', () => sockets.delete(socket));
		new Session(socket, inbox);
	});
	await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
	return {
		port: (server.address() as AddressInfo).port,
		async close() {
			for (const socket of sockets) socket.destroy();
			await new Promise((closed) => server.close(closed));
		},
	};
}
