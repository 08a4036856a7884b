import { createCipheriv, createDecipheriv, createHash } from 'crypto';

import { isDictionary, type Dictionary, type PdfObject, type Reference } from '../syntax/objects';
import { Unreadable } from '../unreadable';

/*
 * Documents that anybody can open, but not change (7.6): their user password is empty.
 */

const PADDING = Buffer.from(
	'28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a',
	'hex',
);

const BLOCK = 16;

const md5 = (...parts: Uint8Array[]): Buffer =>
	createHash('md5').update(Buffer.concat(parts)).digest();

const littleEndian = (number: number, bytes: number): Buffer => {
	const result = Buffer.alloc(4);
	result.writeInt32LE(number | 0);
	return result.subarray(0, bytes);
};

/** RC4, which OpenSSL doesn't offer any more. */
function rc4(key: Uint8Array, bytes: Uint8Array): Uint8Array {
	const state = Uint8Array.from({ length: 256 }, (_, index) => index);
	for (let i = 0, j = 0; i < 256; i++) {
		j = (j + state[i] + key[i % key.length]) & 255;
		[state[i], state[j]] = [state[j], state[i]];
	}
	const result = new Uint8Array(bytes.length);
	for (let n = 0, i = 0, j = 0; n < bytes.length; n++) {
		i = (i + 1) & 255;
		const swapped = state[i];
		j = (j + swapped) & 255;
		state[i] = state[j];
		state[j] = swapped;
		result[n] = bytes[n] ^ state[(state[i] + swapped) & 255];
	}
	return result;
}

/** AES in CBC mode, with the initialization vector in front. */
function aes(key: Uint8Array, bytes: Uint8Array): Uint8Array {
	if (bytes.length < 2 * BLOCK) return new Uint8Array();
	const decipher = createDecipheriv(`aes-${key.length * 8}-cbc`, key, bytes.subarray(0, BLOCK));
	decipher.setAutoPadding(false);
	const whole = bytes.length - (bytes.length % BLOCK);
	const result = decipher.update(bytes.subarray(BLOCK, whole));
	return result.subarray(0, result.length - Math.min(result.at(-1) ?? 0, BLOCK));
}

const bytesAt = (dictionary: Dictionary, key: string): Uint8Array => {
	const value = dictionary.get(key);
	return value instanceof Uint8Array ? value : new Uint8Array();
};

const numberAt = (dictionary: Dictionary, key: string, otherwise = 0): number => {
	const value = dictionary.get(key);
	return typeof value === 'number' ? value : otherwise;
};

export class Encryption {
	private readonly method: unknown;

	private readonly key: Uint8Array;

	/** @throws Unreadable when the document needs a password, or another security handler */
	constructor(encrypt: Dictionary, id: PdfObject) {
		const version = numberAt(encrypt, 'V');
		const revision = numberAt(encrypt, 'R');
		const filters = encrypt.get('CF');
		const filter = isDictionary(filters) ? filters.get(String(encrypt.get('StmF'))) : undefined;
		this.method = version < 4 ? 'V2' : isDictionary(filter) ? filter.get('CFM') : 'None';
		if (encrypt.get('Filter') !== 'Standard' || version < 1 || version > 5 || version === 3)
			throw new Unreadable('encrypted', 'Another security handler');
		const key =
			version === 5 ? keyOfRevision6(encrypt, revision) : keyOfRevision4(encrypt, revision, id);
		if (key === undefined) throw new Unreadable('encrypted', 'The document needs a password');
		this.key = key;
	}

	/** Decrypts the bytes of a stream (algorithms 1 and 1.A). */
	decrypt(bytes: Uint8Array, { number, generation }: Reference): Uint8Array {
		if (this.method === 'None') return bytes;
		if (this.method === 'AESV3') return aes(this.key, bytes);
		const object = [littleEndian(number, 3), littleEndian(generation, 2)];
		const isAes = this.method === 'AESV2';
		const salt = isAes ? [Buffer.from('sAlT')] : [];
		const length = Math.min(this.key.length + 5, BLOCK);
		const key = md5(this.key, ...object, ...salt).subarray(0, length);
		return isAes ? aes(key, bytes) : rc4(key, bytes);
	}
}

/** Algorithms 2, 4 and 5 with an empty password. */
function keyOfRevision4(encrypt: Dictionary, revision: number, id: PdfObject): Buffer | undefined {
	const first = Array.isArray(id) && id[0] instanceof Uint8Array ? id[0] : new Uint8Array();
	const length = numberAt(encrypt, 'V') === 4 ? 16 : numberAt(encrypt, 'Length', 40) / 8;
	const size = revision === 2 ? 5 : Math.max(5, Math.min(BLOCK, length));
	const keepsMetadata = encrypt.get('EncryptMetadata') !== false || revision < 4;
	const marks = keepsMetadata ? [] : [littleEndian(-1, 4)];
	const permissions = littleEndian(numberAt(encrypt, 'P'), 4);
	let key = md5(PADDING, bytesAt(encrypt, 'O').subarray(0, 32), permissions, first, ...marks);
	if (revision >= 3) for (let round = 0; round < 50; round++) key = md5(key.subarray(0, size));
	key = key.subarray(0, size);
	let check: Uint8Array = revision === 2 ? PADDING : md5(PADDING, first);
	for (let round = 0; round < (revision === 2 ? 1 : 20); round++)
		check = rc4(
			key.map((byte) => byte ^ round),
			check,
		);
	const user = bytesAt(encrypt, 'U').subarray(0, check.length);
	return Buffer.compare(check, user) === 0 ? key : undefined;
}

/** Algorithms 2.A and 11 with an empty password. */
function keyOfRevision6(encrypt: Dictionary, revision: number): Uint8Array | undefined {
	const user = bytesAt(encrypt, 'U');
	const hash = (salt: Uint8Array): Buffer =>
		revision < 6 ? createHash('sha256').update(salt).digest() : hashOfRevision6(salt);
	if (Buffer.compare(hash(user.subarray(32, 40)), user.subarray(0, 32)) !== 0) return undefined;
	const wrapped = bytesAt(encrypt, 'UE').subarray(0, 32);
	const decipher = createDecipheriv(
		'aes-256-cbc',
		hash(user.subarray(40, 48)),
		Buffer.alloc(BLOCK),
	);
	decipher.setAutoPadding(false);
	return wrapped.length === 32 ? decipher.update(wrapped) : undefined;
}

/** Algorithm 2.B with an empty password. */
function hashOfRevision6(salt: Uint8Array): Buffer {
	let key = createHash('sha256').update(salt).digest();
	for (let round = 0, last = 0; round < 64 || last > round - 32; round++) {
		const block = Buffer.concat(new Array<Buffer>(64).fill(key));
		const cipher = createCipheriv('aes-128-cbc', key.subarray(0, 16), key.subarray(16, 32));
		cipher.setAutoPadding(false);
		const encrypted = cipher.update(block);
		last = encrypted[encrypted.length - 1];
		const kind = encrypted.subarray(0, 16).reduce((sum, byte) => sum + byte, 0) % 3;
		key = createHash(['sha256', 'sha384', 'sha512'][kind]).update(encrypted).digest();
	}
	return key.subarray(0, 32);
}
