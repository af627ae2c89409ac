/** Pictures of a multipart/x-mixed-replace stream, which an <img> cannot request with a token. */

export interface Part {
  headers: Headers;
  body: Uint8Array<ArrayBuffer>;
}

const END_OF_HEADERS = [13, 10, 13, 10];

/** Takes chunks of the stream and returns the complete parts. */
export class MultipartReader {
  private rest = new Uint8Array(0);

  take(piece: Uint8Array): Part[] {
    const joined = new Uint8Array(this.rest.length + piece.length);
    joined.set(this.rest);
    joined.set(piece, this.rest.length);
    this.rest = joined;
    const parts: Part[] = [];
    for (let part = this.next(); part; part = this.next()) parts.push(part);
    return parts;
  }

  private next(): Part | null {
    const at = indexOf(this.rest, END_OF_HEADERS);
    if (at < 0) return null;
    const headers = headersOf(new TextDecoder().decode(this.rest.subarray(0, at)));
    const length = Number(headers.get("content-length"));
    const begin = at + END_OF_HEADERS.length;
    if (!(length > 0)) throw new Error("received a picture without its length");
    if (this.rest.length < begin + length) return null;
    const body = this.rest.slice(begin, begin + length);
    this.rest = this.rest.slice(begin + length);
    return { headers, body };
  }
}

function headersOf(text: string): Headers {
  const headers = new Headers();
  for (const line of text.split("\r\n")) {
    const colon = line.indexOf(":");
    if (colon > 0) headers.append(line.slice(0, colon).trim(), line.slice(colon + 1).trim());
  }
  return headers;
}

function indexOf(bytes: Uint8Array, wanted: number[]): number {
  for (let at = bytes.indexOf(wanted[0]!); at >= 0; at = bytes.indexOf(wanted[0]!, at + 1)) {
    if (wanted.every((byte, index) => bytes[at + index] === byte)) return at;
  }
  return -1;
}
