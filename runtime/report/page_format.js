"use strict";
// The maps and the replay of a report, out of the JSON in #report-data.

const $ = id => document.getElementById(id);
const data = JSON.parse($("report-data").textContent);

function unpack(text) {
  const raw = atob(text), bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
  return bytes;
}

function reader(bytes) {
  let at = 0;
  const whole = () => {
    let value = 0, shift = 0, byte;
    do { byte = bytes[at++]; value |= (byte & 127) << shift; shift += 7; } while (byte > 127);
    return value >>> 0;
  };
  const signed = () => { const value = whole(); return (value >>> 1) ^ -(value & 1); };
  return { whole, signed };
}
