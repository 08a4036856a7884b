import type { Answer, Fault } from '../types.mts';
import { after, altered, before, bodyOf, isJson, isThing, rewritten, sendText } from './build.mts';

/** Bytes and letters. */

const group = 'encoding';

const charset = (name: string) => () => ({ 'content-type': `application/json; charset=${name}` });
const utf16 = (body: Buffer) => Buffer.from(`\ufeff${body}`, 'utf16le');
/** A name that isn't ASCII, so that a wrong encoding can be seen. */
const STREET = '"note":"Stra\u00dfe \u00fc\u20ac\ud83d\ude00",';
const named = (body: Buffer, text = STREET) => body.toString().replace(/^\{/, `{${text}`);

const asData = ({ kind }: { kind: string }) => kind === 'encoded';

/** Writes `data` of Get Document as given, without escaping anything. */
function dataAs(write: (base64: string) => string): Fault['strike'] {
	return (_target, wire, answer?: Answer) => {
		const value = answer?.json as { data?: string } | undefined;
		const { data = '', ...rest } = value ?? {};
		const text = JSON.stringify({ ...rest, data: '@' }).replace('"@"', () => `"${write(data)}"`);
		sendText(wire, text);
	};
}

function escaped(text: string): string {
	return text.replace(
		/[\s\S]/g,
		(letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
	);
}

const WRITTEN: Record<string, [Fault['reaches'], (base64: string) => string]> = {
	// These two are other ways to write the same JSON text.
	'plus-escaped': ['honest', (text) => text.replaceAll('+', '\\u002B').replaceAll('=', '\\u003d')],
	'slash-escaped': ['honest', (text) => text.replaceAll('/', '\\/')],
	'all-escaped': ['honest', escaped],
	'url-letters': ['odd', (text) => text.replaceAll('+', '-').replaceAll('/', '_')],
	'padding-missing': ['odd', (text) => text.replace(/=+$/, '')],
	lines: ['odd', (text) => text.replace(/.{1,76}/g, '$&\\r\\n')],
	'data-url': ['odd', (text) => `data:application/pdf;base64,${text}`],
	'wrong-letters': ['odd', (text) => text.replace(/^.{4}/, '*?%~')],
	cut: ['odd', (text) => text.slice(0, Math.floor(text.length / 2) - 1)],
	empty: ['odd', () => ''],
	'of-something-else': ['odd', () => Buffer.from('<html>Not Found</html>').toString('base64')],
};

export const encodingFaults: Fault[] = [
	after(group, 'bom', {
		reaches: 'odd',
		appliesTo: isJson,
		strike: rewritten((body) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), body])),
	}),
	after(group, 'utf-16-said', {
		reaches: 'odd',
		appliesTo: isJson,
		strike: rewritten(utf16, charset('utf-16')),
	}),
	after(group, 'utf-16-not-said', {
		reaches: 'odd',
		appliesTo: isJson,
		strike: rewritten(utf16),
	}),
	after(group, 'utf-16-big-endian', {
		reaches: 'odd',
		appliesTo: isJson,
		strike: rewritten((body) => utf16(body).swap16(), charset('utf-16be')),
	}),
	after(group, 'latin-1-said', {
		reaches: 'odd',
		appliesTo: isThing,
		strike: rewritten(
			(body) => Buffer.from(named(body, '"note":"Stra\u00dfe",'), 'latin1'),
			charset('iso-8859-1'),
		),
	}),
	after(group, 'latin-1-not-said', {
		reaches: 'odd',
		appliesTo: isThing,
		strike: rewritten((body) => Buffer.from(named(body, '"note":"Stra\u00dfe",'), 'latin1')),
	}),
	after(group, 'charset-unknown', {
		reaches: 'odd',
		appliesTo: isJson,
		strike: rewritten((body) => body, charset('utf-99')),
	}),
	after(group, 'charset-utf-8-said', {
		reaches: 'honest',
		appliesTo: isThing,
		strike: rewritten((body) => named(body), charset('UTF-8')),
	}),
	after(group, 'utf-8-invalid', {
		reaches: 'odd',
		appliesTo: isThing,
		strike: rewritten((body) => {
			const [start, end] = named(body, '"note":"@",').split('@');
			return Buffer.concat([Buffer.from(start), Buffer.from([0xff, 0xc3, 0x28]), Buffer.from(end)]);
		}),
	}),
	after(group, 'utf-8-overlong', {
		reaches: 'odd',
		appliesTo: isThing,
		strike: rewritten((body) => {
			const [start, end] = named(body, '"note":"@",').split('@');
			return Buffer.concat([Buffer.from(start), Buffer.from([0xc0, 0xaf]), Buffer.from(end)]);
		}),
	}),
	after(group, 'lone-surrogates', {
		reaches: 'odd',
		appliesTo: isThing,
		strike: rewritten((body) => named(body, '"note":"\\ud83d and \\ude00",')),
	}),
	after(group, 'raw-control-characters', {
		reaches: 'odd',
		appliesTo: isThing,
		strike: rewritten((body) => named(body, '"note":"a\u0000b\tc\nd",')),
	}),
	after(group, 'nul-bytes-at-the-end', {
		reaches: 'odd',
		appliesTo: isJson,
		strike: rewritten((body) => Buffer.concat([body, Buffer.alloc(16)])),
	}),
	after(group, 'keys-escaped', {
		// Another way to write the same JSON text.
		reaches: 'honest',
		appliesTo: isJson,
		strike: rewritten((body) =>
			body.toString().replace(/"(\w+)":/g, (_all, name: string) => `"${escaped(name)}":`),
		),
	}),
	after(group, 'spaces-everywhere', {
		reaches: 'honest',
		appliesTo: isJson,
		strike: rewritten(
			(body) => `\r\n\t ${JSON.stringify(JSON.parse(String(body)), null, '\t')} \n`,
		),
	}),
	after(group, 'letters-not-composed', {
		reaches: 'odd',
		appliesTo: isThing,
		strike: altered((value) => ({ ...value, transaction_name: 'Cafe\u0301 \u212b' })),
	}),
	before(group, 'random-bytes', {
		reaches: 'odd',
		strike: (_target, wire) =>
			sendText(wire, Buffer.from(Array.from({ length: 256 }, (_, n) => n))),
	}),
	...Object.entries(WRITTEN).map(([name, [reaches, write]]) =>
		after(group, `base64-${name}`, { reaches, appliesTo: asData, strike: dataAs(write) }),
	),
	after(group, 'base64-missing', {
		reaches: 'odd',
		appliesTo: asData,
		strike: altered(({ data: _data, ...rest }) => rest),
	}),
	after(group, 'base64-null', {
		reaches: 'odd',
		appliesTo: asData,
		strike: altered((value) => ({ ...value, data: null })),
	}),
	after(group, 'base64-number', {
		reaches: 'odd',
		appliesTo: asData,
		strike: altered((value) => ({ ...value, data: 12345678 })),
	}),
	after(group, 'base64-as-bytes', {
		reaches: 'odd',
		appliesTo: asData,
		strike: (_target, wire, answer) => {
			const { data = '' } = JSON.parse(bodyOf(answer).toString());
			sendText(wire, Buffer.from(String(data), 'base64'), 'application/pdf');
		},
	}),
];
