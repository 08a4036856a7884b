import { createCipheriv, createDecipheriv, createHash } from 'crypto';

import { Unreadable } from '../bounds/limits';
import { isDictionary, getNumber } from '../syntax/objects';
import type { Dictionary, PdfObject, Reference } from '../syntax/objects';

/*
 * Documents that anybody can open, but not change (7.6): their user password is empty.
 */

const PADDING = Buffer.from(
	'28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a',
	'hex',
);

const BLOCK = 16;

const hash = (algorithm: string, ...parts: Uint8Array[]): Buffer =>
	createHash(algorithm).update(Buffer.concat(parts)).digest();

const toLittleEndian = (number: number, bytes: number): Buffer =>
	Buffer.from(Int32Array.of(number).buffer).subarray(0, bytes);

/** RC4, which OpenSSL doesn't offer any more. */
function applyRc4(key: Uint8Array, bytes: Uint8Array): Uint8Array {
	const state = Uint8Array.from({ length: 256 }, (_, index) => index);
	const swap = (i: number, j: number): number => {
		[state[i], state[j]] = [state[j], state[i]];
		return state[(state[i] + state[j]) & 255];
	};
	for (let i = 0, j = 0; i < 256; i++) swap(i, (j = (j + state[i] + key[i % key.length]) & 255));
	let [i, j] = [0, 0];
	return bytes.map((byte) => {
		i = (i + 1) & 255;
		j = (j + state[i]) & 255;
		return byte ^ swap(i, j);
	});
}

/** AES in CBC mode without its padding. */
function decryptAes(key: Uint8Array, vector: Uint8Array, bytes: Uint8Array): Buffer {
	const decipher = createDecipheriv(`aes-${key.length * 8}-cbc`, key, vector);
	return decipher.setAutoPadding(false).update(bytes);
}

/** AES in CBC mode, with its initialization vector in front and padding at the end. */
function decryptAesStream(key: Uint8Array, bytes: Uint8Array): Uint8Array {
	const whole = bytes.subarray(BLOCK, bytes.length - (bytes.length % BLOCK));
	if (whole.length < BLOCK) return new Uint8Array();
	const result = decryptAes(key, bytes.subarray(0, BLOCK), whole);
	return result.subarray(0, result.length - Math.min(result[result.length - 1], BLOCK));
}

const getBytes = (dictionary: Dictionary, key: string): Uint8Array => {
	const value = dictionary.get(key);
	return value instanceof Uint8Array ? value : new Uint8Array();
};

/** What is encrypted, each with a method of its own. */
type Kind = 'stream' | 'string';

export class Encryption {
	private readonly methods: Record<Kind, unknown>;

	private readonly key: Uint8Array;

	/** @throws Unreadable when the document needs a password for certain (`locked`), or something else */
	constructor(encrypt: Dictionary, id: PdfObject) {
		const version = getNumber(encrypt, 'V', 0);
		const filters = encrypt.get('CF');
		const findMethod = (name: string): unknown => {
			const filter = isDictionary(filters) ? filters.get(String(encrypt.get(name))) : undefined;
			return version < 4 ? 'V2' : isDictionary(filter) ? filter.get('CFM') : 'None';
		};
		this.methods = { stream: findMethod('StmF'), string: findMethod('StrF') };
		const isKnown = encrypt.get('Filter') === 'Standard' && [1, 2, 4, 5].includes(version);
		const key = version === 5 ? computeKeyOfRevision6(encrypt) : computeKeyOfRevision4(encrypt, id);
		const isWhole = ['O', 'U'].every((entry) => getBytes(encrypt, entry).length >= 32);
		const isCertain = isKnown && isWhole && this.methods.stream !== 'None';
		if (!isKnown || key === undefined)
			throw new Unreadable(isCertain ? 'locked' : 'encrypted', 'It needs a password or more');
		this.key = key;
	}

	/** Decrypts the bytes of a stream or a string of an object (algorithms 1 and 1.A). */
	decrypt(bytes: Uint8Array, { number, generation }: Reference, kind: Kind): Uint8Array {
		const method = this.methods[kind];
		if (method === 'None') return bytes;
		if (method === 'AESV3') return decryptAesStream(this.key, bytes);
		const isAes = method === 'AESV2';
		const object = [toLittleEndian(number, 3), toLittleEndian(generation, 2)];
		const salt = Buffer.from(isAes ? 'sAlT' : '');
		const key = hash('md5', this.key, ...object, salt).subarray(0, this.key.length + 5);
		return isAes ? decryptAesStream(key, bytes) : applyRc4(key, bytes);
	}
}

/** Algorithms 2, 4 and 5 with an empty password. */
function computeKeyOfRevision4(encrypt: Dictionary, id: PdfObject): Uint8Array | undefined {
	const revision = getNumber(encrypt, 'R', 0);
	const first = Array.isArray(id) && id[0] instanceof Uint8Array ? id[0] : new Uint8Array();
	const length = getNumber(encrypt, 'V', 0) === 4 ? BLOCK : getNumber(encrypt, 'Length', 40) / 8;
	const size = revision === 2 ? 5 : Math.max(5, Math.min(BLOCK, length));
	const owner = getBytes(encrypt, 'O').subarray(0, 32);
	const permissions = toLittleEndian(getNumber(encrypt, 'P', 0), 4);
	const hidesMetadata = revision >= 4 && encrypt.get('EncryptMetadata') === false;
	const mark = toLittleEndian(-1, hidesMetadata ? 4 : 0);
	let key = hash('md5', PADDING, owner, permissions, first, mark).subarray(0, size);
	for (let round = 0; round < 50 && revision > 2; round++) key = hash('md5', key).subarray(0, size);
	let check: Uint8Array = revision === 2 ? PADDING : hash('md5', PADDING, first);
	const buildRoundKey = (round: number): Uint8Array => key.map((byte) => byte ^ round);
	const rounds = revision === 2 ? 1 : 20;
	for (let round = 0; round < rounds; round++) check = applyRc4(buildRoundKey(round), check);
	const user = getBytes(encrypt, 'U').subarray(0, check.length);
	return Buffer.compare(check, user) === 0 ? key : undefined;
}

/** Algorithms 2.A and 11 with an empty password. */
function computeKeyOfRevision6(encrypt: Dictionary): Uint8Array | undefined {
	const user = getBytes(encrypt, 'U');
	const wrapped = getBytes(encrypt, 'UE').subarray(0, 32);
	const revision = getNumber(encrypt, 'R', 0);
	const check = hash2B(user.subarray(32, 40), revision);
	const isOpen = Buffer.compare(check, user.subarray(0, 32)) === 0;
	if (!isOpen || wrapped.length < 32) return undefined;
	return decryptAes(hash2B(user.subarray(40, 48), revision), Buffer.alloc(BLOCK), wrapped);
}

/** Algorithm 2.B with an empty password; before revision 6, it had no rounds. */
function hash2B(salt: Uint8Array, revision: number): Buffer {
	let key = hash('sha256', salt);
	for (let round = 0, last = 0; revision > 5 && (round < 64 || last > round - 32); round++) {
		const cipher = createCipheriv('aes-128-cbc', key.subarray(0, 16), key.subarray(16, 32));
		const encrypted = cipher.update(Buffer.concat(new Array<Buffer>(64).fill(key)));
		const kind = encrypted.subarray(0, BLOCK).reduce((sum, byte) => sum + byte, 0) % 3;
		key = hash(['sha256', 'sha384', 'sha512'][kind], encrypted);
		last = encrypted[encrypted.length - 1];
	}
	return key.subarray(0, 32);
}
