import { generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';

/* A host with encryption, whose certificate this process trusts for as long as it runs. */

const SEQUENCE = 0x30;
const OBJECT_ID = 0x06;
const ECDSA_WITH_SHA256 = der(
	SEQUENCE,
	der(OBJECT_ID, Buffer.from([0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02])),
);

/** A value in ASN.1's distinguished encoding. */
function der(tag: number, ...parts: Buffer[]): Buffer {
	const content = Buffer.concat(parts);
	const { length } = content;
	const size =
		length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
	return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const time = (text: string) => der(0x17, Buffer.from(text));

/** A certificate for 127.0.0.1 that its own key has signed. Node.js can't make one by itself. */
function certify(): { key: string; cert: string } {
	const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
	const name = der(
		SEQUENCE,
		der(
			0x31,
			der(
				SEQUENCE,
				der(OBJECT_ID, Buffer.from([0x55, 0x04, 0x03])),
				der(0x0c, Buffer.from('Files')),
			),
		),
	);
	const address = der(SEQUENCE, der(0x87, Buffer.from([127, 0, 0, 1])));
	const alternativeName = der(
		SEQUENCE,
		der(OBJECT_ID, Buffer.from([0x55, 0x1d, 0x11])),
		der(0x04, address),
	);
	const content = der(
		SEQUENCE,
		der(0xa0, der(0x02, Buffer.from([2]))),
		der(0x02, Buffer.from([1])),
		ECDSA_WITH_SHA256,
		name,
		der(SEQUENCE, time('200101000000Z'), time('491231235959Z')),
		name,
		publicKey.export({ type: 'spki', format: 'der' }),
		der(0xa3, der(SEQUENCE, alternativeName)),
	);
	const signature = der(0x03, Buffer.from([0]), sign('sha256', content, privateKey));
	const cert = der(SEQUENCE, content, ECDSA_WITH_SHA256, signature).toString('base64');
	return {
		key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
		cert: `-----BEGIN CERTIFICATE-----\n${cert.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
	};
}

/** Starts the host. It ends with the test that holds it with `await using`. */
export async function startSecure(
	handle: RequestListener,
): Promise<AsyncDisposable & { url: string }> {
	const certificate = certify();
	const trusted = getCACertificates('default');
	setDefaultCACertificates([...trusted, certificate.cert]);
	const server = createServer(certificate, handle);
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
		[Symbol.asyncDispose]: async () => {
			setDefaultCACertificates(trusted);
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
}
