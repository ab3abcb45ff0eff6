# SPDX-License-Identifier: MIT
"""Writes Fossilize archives for tests, from the description of the format in docs/replay.md alone: no code of the reader is used."""
import base64
import json
import pathlib
import struct
import sys
import zlib

APPLICATION, SAMPLER, SET_LAYOUT, PIPELINE_LAYOUT, MODULE, RENDER_PASS, GRAPHICS, COMPUTE, LINK, RAY_TRACING = range(10)
MAGIC = b'\x81FOSSILIZEDB'
STORAGE_BUFFER, STORAGE_BUFFER_DYNAMIC = 7, 9
MUTABLE = 1000351000
VERTEX_STAGE, FRAGMENT_STAGE = 1, 16
RENDERING, DIVISORS, PROVOKING_VERTEX = 1000044002, 1000190001, 1000254001
REQUIRED_SUBGROUP_SIZE, ROBUSTNESS, ROBUSTNESS_2_FEATURES, MUTABLE_TYPES = 1000225001, 1000068000, 1000286000, 1000351002


UNUSED = 2**32 - 1


def name(number):
    return f'{number:016x}'


def varint(words):
    out = bytearray()
    for word in words:
        while word >= 128:
            out.append(word & 127 | 128)
            word >>= 7
        out.append(word)
    return bytes(out)


def record(tag, number, payload, compress=True, checksum=True, **change):
    """`change` puts other values into the header: stored, format, crc, size."""
    stored = zlib.compress(payload) if compress else payload
    header = {'stored': len(stored), 'format': 2 if compress else 1, 'crc': zlib.crc32(stored) if checksum else 0, 'size': len(payload), **change}
    return f'{tag:024x}{number:016x}'.encode() + struct.pack('<4I', *(header[key] for key in ('stored', 'format', 'crc', 'size'))) + stored


class Archive:
    """Collects records; bytes() is the file."""

    def __init__(self, compress=True, checksum=True, version=6):
        self.records = []
        self.compress, self.checksum, self.version = compress, checksum, version

    def add(self, tag, number, payload):
        self.records.append(record(tag, number, payload, self.compress, self.checksum))
        return number

    def document(self, tag, kind, number, value, data=None):
        text = json.dumps({'version': self.version, kind: {name(number): value}}).encode()
        return self.add(tag, number, text if data is None else text + b'\0' + data)

    def sampler(self, number, **state):
        value = {'flags': 0, 'minFilter': 1, 'magFilter': 1, 'maxAnisotropy': 1.0, 'compareOp': 0, 'anisotropyEnable': 0, 'mipmapMode': 1,
                 'addressModeU': 2, 'addressModeV': 2, 'addressModeW': 2, 'borderColor': 0, 'unnormalizedCoordinates': 0, 'compareEnable': 0,
                 'mipLodBias': 0.0, 'minLod': 0.0, 'maxLod': 1000.0, **state}
        return self.document(SAMPLER, 'samplers', number, value)

    def set_layout(self, number, bindings, next=None):
        """`bindings`: (binding, type, count) or with a list of sampler hashes after them."""
        rows = [{'descriptorType': b[1], 'descriptorCount': b[2], 'stageFlags': 32, 'binding': b[0],
                 **({'immutableSamplers': [name(sampler) for sampler in b[3]]} if len(b) > 3 else {})} for b in bindings]
        return self.document(SET_LAYOUT, 'setLayouts', number, {'flags': 0, 'bindings': rows, **({'pNext': next} if next else {})})

    def pipeline_layout(self, number, sets, push=()):
        ranges = [{'stageFlags': 32, 'size': size, 'offset': offset} for offset, size in push]
        return self.document(PIPELINE_LAYOUT, 'pipelineLayouts', number,
                             {'flags': 0, 'pushConstantRanges': ranges, 'setLayouts': [name(layout) for layout in sets]})

    def module(self, number, words):
        data = varint(words)
        return self.document(MODULE, 'shaderModules', number,
                             {'varintOffset': 0, 'varintSize': len(data), 'codeSize': 4 * len(words), 'flags': 0}, data)

    @staticmethod
    def stage(bit, module, entry='main', spec=None, flags=0, next=None):
        """`spec`: a dictionary of 4-byte values by id."""
        stage = {'flags': flags, 'stage': bit, 'module': name(module), 'name': entry}
        if spec:
            data = b''.join(struct.pack('<I', value) for value in spec.values())
            stage['specializationInfo'] = {
                'dataSize': len(data), 'data': base64.b64encode(data).decode(),
                'mapEntries': [{'offset': 4 * i, 'size': 4, 'constantID': key} for i, key in enumerate(spec)]}
        if next:
            stage['pNext'] = next
        return stage

    def compute(self, number, layout, module, entry='main', spec=None, stage_flags=0, stage_next=None):
        stage = self.stage(32, module, entry, spec, stage_flags, stage_next)
        return self.document(COMPUTE, 'computePipelines', number,
                             {'flags': 0, 'layout': name(layout), 'basePipelineHandle': name(0), 'basePipelineIndex': -1, 'stage': stage})

    def graphics(self, number, layout, stages, render_pass=0, subpass=0, **states):
        """`stages` as stage() makes them; `states` by the names of the format, and pNext."""
        return self.document(GRAPHICS, 'graphicsPipelines', number,
                             {'flags': 0, 'basePipelineHandle': name(0), 'basePipelineIndex': -1, 'layout': name(layout), 'renderPass': name(render_pass),
                              'subpass': subpass, 'stages': stages, **states})

    def render_pass(self, number, formats, subpasses):
        """`subpasses`: for each the attachments of its colours, by location."""
        attachments = [{'flags': 0, 'format': format, 'finalLayout': 2, 'initialLayout': 0, 'loadOp': 1, 'storeOp': 0, 'samples': 1,
                        'stencilLoadOp': 2, 'stencilStoreOp': 1} for format in formats]
        rows = [{'flags': 0, 'pipelineBindPoint': 0, 'colorAttachments': [{'attachment': a, 'layout': 2} for a in colors]} for colors in subpasses]
        return self.document(RENDER_PASS, 'renderPasses', number, {'flags': 0, 'attachments': attachments, 'subpasses': rows})

    def ray_tracing(self, number):
        return self.document(RAY_TRACING, 'raytracingPipelines', number, {'flags': 0})

    def application(self, number, robust=0, next=()):
        return self.add(APPLICATION, number, json.dumps(
            {'version': 6, 'applicationInfo': {'applicationName': 'test', 'applicationVersion': 0, 'engineVersion': 0, 'apiVersion': 4198400},
             'physicalDeviceFeatures': {'robustBufferAccess': robust, **({'pNext': list(next)} if next else {})}}).encode())

    def link(self, number, application, tag, target):
        link = {'application': name(application), 'tag': tag, 'hash': name(target)}
        return self.add(LINK, number, json.dumps({'version': 6, 'link': link}).encode())

    def bytes(self):
        return MAGIC + bytes([0, 0, 0, self.version]) + b''.join(self.records)


def declarations(words):
    """Name of the compute entry point and (set, binding) -> array elements of a module, as its decorations say."""
    decorations, types, pointers, constants, variables, entry = {}, {}, {}, {}, {}, None
    at = 5
    while at < len(words):
        count, opcode = words[at] >> 16, words[at] & 0xffff
        operands = words[at + 1:at + count]
        if opcode == 15 and operands[0] == 5 and entry is None:
            entry = struct.pack(f'<{count - 3}I', *operands[2:]).split(b'\0')[0].decode()
        elif opcode == 71 and operands[1] in (33, 34):
            decorations[operands[0], operands[1]] = operands[2]
        elif opcode in (28, 29):
            types[operands[0]] = operands[2] if opcode == 28 else None
        elif opcode == 32:
            pointers[operands[0]] = operands[2]
        elif opcode in (43, 50):
            constants[operands[1]] = operands[2]
        elif opcode == 59:
            variables[operands[1]] = operands[0]
        at += max(count, 1)
    places = {}
    for variable, pointer in variables.items():
        if (variable, 34) in decorations and (variable, 33) in decorations:
            place = decorations[variable, 34], decorations[variable, 33]
            type_id = pointers[pointer]
            length = constants.get(types[type_id], 1024) if type_id in types else 1
            places[place] = max(length, places.get(place, 0))
    return entry, places


# Every part of a graphics pipeline that the reader knows.
STATES = {
    'vertexInputState': {'flags': 0, 'attributes': [{'location': 0, 'binding': 0, 'offset': 0, 'format': 106},
                                                    {'location': 1, 'binding': 1, 'offset': 4, 'format': 37}],
                         'bindings': [{'binding': 0, 'stride': 12, 'inputRate': 0}, {'binding': 1, 'stride': 8, 'inputRate': 1}],
                         'pNext': [{'sType': DIVISORS, 'vertexBindingDivisorCount': 1, 'vertexBindingDivisors': [{'binding': 1, 'divisor': 3}]}]},
    'inputAssemblyState': {'flags': 0, 'topology': 4, 'primitiveRestartEnable': 0},
    'rasterizationState': {'flags': 0, 'depthBiasConstantFactor': 0.0, 'depthBiasSlopeFactor': 0.0, 'depthBiasClamp': 0.0, 'depthBiasEnable': 0,
                           'depthClampEnable': 0, 'polygonMode': 0, 'rasterizerDiscardEnable': 0, 'frontFace': 0, 'lineWidth': 1.0, 'cullMode': 0,
                           'pNext': [{'sType': PROVOKING_VERTEX, 'provokingVertexMode': 1}]},
    'multisampleState': {'flags': 0, 'rasterizationSamples': 4, 'sampleShadingEnable': 1, 'minSampleShading': 0.5, 'alphaToOneEnable': 0,
                         'alphaToCoverageEnable': 1},
    'colorBlendState': {'flags': 0, 'logicOp': 0, 'logicOpEnable': 0, 'blendConstants': [0.0, 0.0, 0.0, 0.0], 'attachments': [
        {'dstAlphaBlendFactor': 0, 'srcAlphaBlendFactor': 1, 'dstColorBlendFactor': 7, 'srcColorBlendFactor': 6, 'colorWriteMask': 7, 'alphaBlendOp': 0,
         'colorBlendOp': 0, 'blendEnable': 1}]},
}


def archive_of_state(words):
    """Every kind of object and structure that the reader knows, once, uncompressed."""
    archive = Archive(compress=False, checksum=False)
    sampler = archive.sampler(1)
    kinds = [(0, 0, 2, [sampler, sampler]), (1, 1, 3), (2, 2, 1), (3, 3, 1), (4, 4, 1), (5, 5, 1), (6, 8, 2), (7, 9, 1), (8, 1000138000, 20),
             (9, MUTABLE, 4), (10, STORAGE_BUFFER, 1)]
    lists = [[2, 3, 7, 6] if kind[1] == MUTABLE else [] for kind in kinds]
    sets = archive.set_layout(2, kinds, next=[{'sType': MUTABLE_TYPES, 'mutableDescriptorTypeLists': lists}])
    layout = archive.pipeline_layout(3, [sets, 0, sets], push=[(0, 16), (16, 48)])
    module = archive.module(4, words)
    archive.compute(5, layout, module, spec={0: 1, 7: 2}, stage_flags=2, stage_next=[
        {'sType': REQUIRED_SUBGROUP_SIZE, 'requiredSubgroupSize': 64}, {'sType': ROBUSTNESS, 'storageBuffers': 2, 'uniformBuffers': 1, 'images': 0}])
    archive.render_pass(6, [44, 37], [[0], [1, UNUSED]])
    archive.graphics(6, layout, [archive.stage(VERTEX_STAGE, module, spec={0: 1}), archive.stage(FRAGMENT_STAGE, module)], render_pass=6, subpass=1,
                     **STATES, dynamicState={'flags': 0, 'dynamicState': [0, 1, 1000377001]})
    archive.graphics(7, layout, [archive.stage(VERTEX_STAGE, module)], pNext=[{'sType': RENDERING, 'depthAttachmentFormat': 126,
                     'stencilAttachmentFormat': 0, 'viewMask': 0, 'colorAttachmentFormats': [37, 0]}])
    archive.application(7, robust=1)
    archive.application(8, next=[{'sType': ROBUSTNESS_2_FEATURES, 'robustBufferAccess2': 1, 'robustImageAccess2': 1, 'nullDescriptor': 1}])
    archive.link(9, 7, COMPUTE, 5)
    return archive


def archive_of_modules(modules, copies=1, **options):
    """A pipeline for each module, `copies` times with objects of its own: buffers of one descriptor type, 128 bytes of push constants."""
    archive = Archive(**options)
    archive.application(1)
    for number, words in enumerate(list(modules) * copies, 1):
        entry, places = declarations(words)
        sets = range(max((place[0] for place in places), default=-1) + 1)
        layouts = [archive.set_layout(number * 256 + s, [(b, STORAGE_BUFFER, places[s_, b]) for s_, b in sorted(places) if s_ == s]) for s in sets]
        layout = archive.pipeline_layout(number, layouts, push=[(0, 128)])
        archive.compute(number * 0x9e3779b97f4a7c15 % 2**64, layout, archive.module(number, words), entry=entry)
    return archive


def main():
    """usage: foz.py [COPIES] OUT.foz FILE.spv..."""
    arguments = sys.argv[1:]
    copies = int(arguments.pop(0)) if arguments[0].isdigit() else 1
    data = [pathlib.Path(name).read_bytes() for name in arguments[1:]]
    pathlib.Path(arguments[0]).write_bytes(archive_of_modules([struct.unpack(f'<{len(d) // 4}I', d) for d in data], copies).bytes())


if __name__ == '__main__':
    main()
