import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusalOfAddress, refusalOfUrl } from './refusals.ts'
import { mediaHosts } from './settings.ts'

const refused = (address: string) => refusalOfUrl(new URL(address), mediaHosts)

test('media are copied from the hosts of the networks and the hosts below them', () => {
  for (const address of [
    'https://p16-sign.tiktokcdn-us.com/obj/a.jpeg?x-expires=1',
    'https://scontent-fra3-1.xx.fbcdn.net/v/t39.jpg',
    'https://fbcdn.net/a',
    'https://FBCDN.NET./a',
    'https://i.ytimg.com/vi/abc/hqdefault.jpg',
    'https://is1-ssl.mzstatic.com/image/thumb/a.png',
    'https://v.redd.it/abc/DASH_720.mp4',
  ])
    assert.equal(refused(address), undefined, address)
})

test('no other host, scheme or port is asked, and nobody is told a password', () => {
  for (const [address, why] of [
    ['https://evil.example/fbcdn.net/a.jpg', /not among/],
    ['https://notfbcdn.net/a.jpg', /not among/],
    ['https://fbcdn.net.evil.example/a.jpg', /not among/],
    ['https://fbcdn.net@evil.example/a.jpg', /credentials/],
    ['https://me:secret@scontent.fbcdn.net/a.jpg', /credentials/],
    ['http://scontent.fbcdn.net/a.jpg', /https only/],
    ['file:///etc/passwd', /https only/],
    ['data:image/png;base64,AAAA', /https only/],
    ['gopher://scontent.fbcdn.net/', /https only/],
    ['https://scontent.fbcdn.net:8443/a.jpg', /Port 8443/],
    ['https://scontent.fbcdn.net:22/a.jpg', /Port 22/],
    ['https://169.254.169.254/latest/meta-data', /not among/],
    ['https://[::1]/', /not among/],
    ['https://2130706433/', /not among/],
    ['https://localhost/', /not among/],
    ['https://fbcdn。net.evil.example/', /not among/],
  ] as const)
    assert.match(refused(address) ?? 'not refused', why, address)
})

test('only machines of the public internet are spoken to', () => {
  for (const address of [
    '93.184.216.34',
    '1.1.1.1',
    '2606:4700:4700::1111',
    '2a03:2880:f12f:83:face:b00c:0:25de',
  ])
    assert.equal(refusalOfAddress(address), undefined, address)
  for (const address of [
    '127.0.0.1',
    '127.255.255.254',
    '0.0.0.0',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '192.0.0.1',
    '198.18.0.1',
    '192.0.2.1',
    '203.0.113.9',
    '224.0.0.251',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:a9fe:a9fe',
    '64:ff9b::7f00:1',
    '64:ff9b:1::1',
    '2002:7f00:1::',
    '2001::1',
    '2001:db8::1',
    'fe80::1',
    'fe80::1%eth0',
    'fd00:ec2::254',
    'fec0::1',
    'ff02::1',
    '4000::1',
    'not an address',
    '',
  ])
    assert.notEqual(refusalOfAddress(address), undefined, address)
})
