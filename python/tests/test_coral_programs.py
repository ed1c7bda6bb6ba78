"""pycoral's own programs, of which only import lines are changed, on compiled models and on their sources.

HOIST_PYCORAL names a checkout or a bare repository of google-coral/pycoral, which is no part of the project; the models
are those of the corpus, and one that finds rings: HOIST_DETECTOR names the folder v2_model of Mercs-MSA/
hsvObjectDetection, or a folder with its detect_quant.tflite and edgetpu.tflite. Without them, or without Pillow, the
tests are skipped.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from support import ROOT, Case, main, np

try:
    from PIL import Image
except ImportError:
    Image = None

CORAL = os.environ.get("HOIST_PYCORAL", "")
FIELD = pathlib.Path(os.environ.get("HOIST_CORPUS", ROOT.parent / "shared/corpus"), "edgetpu-field")


DETECTOR = pathlib.Path(os.environ.get("HOIST_DETECTOR", "/nowhere"))


def program(name):
    """The text of a program with other import lines; nothing else is changed."""
    path = pathlib.Path(CORAL, "examples", name)
    text = path.read_text(encoding="utf-8") if path.exists() else subprocess.run(
        ["git", f"--git-dir={CORAL}", "show", f"HEAD:examples/{name}"], capture_output=True, check=True, text=True).stdout
    return re.sub(r"^from pycoral\.", "from hoist.pycoral.", text, flags=re.MULTILINE)


def picture(path, size):
    """A picture with shapes, as smooth as photographs are."""
    y, x = np.mgrid[0:size, 0:size] / size
    waves = [np.sin(9 * x + 4 * y * y) + ((x - .5) ** 2 + (y - .5) ** 2 < .09), np.cos(7 * y - x), x * y]
    pixels = np.stack([np.interp(wave, (wave.min(), wave.max()), (0, 255)) for wave in waves], -1)
    Image.fromarray(pixels.astype(np.uint8)).save(path)


def rings(path):
    """Two orange rings that lie on a grey floor."""
    y, x = np.mgrid[0:320, 0:320]
    pixels = np.array([110, 112, 115]) + (12 * np.sin(x / 23) + 8 * np.cos(y / 31))[..., np.newaxis]
    for left, top, radius in ((110, 140, 60), (240, 230, 45)):
        inside = 1 - np.abs(np.hypot(x - left, (y - top) * 1.4) - radius) / 14
        light = 0.75 + 0.25 * np.clip((top - y) / radius, -1, 1)
        pixels = np.where((inside > 0.15)[..., np.newaxis], np.array([235, 110, 30]) * light[..., np.newaxis], pixels)
    Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8)).save(path)


def objects(printed):
    """Ids, scores and boxes, as detect_image.py prints them."""
    numbers = r"id:\s+(\d+)\s+score:\s+([\d.]+)\s+bbox:\s+BBox\(xmin=(-?\d+), ymin=(-?\d+), xmax=(-?\d+), ymax=(-?\d+)\)"
    return np.array(re.findall(numbers, printed), float)


@unittest.skipUnless(CORAL and Image, "skipped: HOIST_PYCORAL is not set, or Pillow is absent")
class Programs(Case):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        picture(self.folder / "picture.png", 256)

    def run_program(self, name, model, *arguments):
        """What a program prints, on one model."""
        if not model.exists():
            self.skipTest(f"skipped: {model.name} is absent")
        script = self.folder / name
        script.write_text(program(name), encoding="utf-8")
        done = subprocess.run([sys.executable, str(script), "--model", str(model), "--input",
                               str(self.folder / "picture.png"), *arguments], capture_output=True, text=True, check=False)
        self.assertEqual(0, done.returncode, done.stderr)
        return done.stdout

    def pair(self, name):
        return FIELD / "compiled" / f"{name}_edgetpu.tflite", FIELD / "source" / f"{name}.tflite"

    def test_classify_image(self):
        printed = [self.run_program("classify_image.py", model, "--count", "1", "--top_k", "5").split("RESULTS")[1]
                   for model in self.pair("edgetpu--mobilenet_v1_0.25_128_quant")]
        self.assertEqual(5, printed[0].count(": "))
        self.assertEqual(*printed)

    def test_semantic_segmentation(self):
        images = []
        for model in self.pair("edgetpu--deeplabv3_mnv2_dm05_pascal_quant"):
            out = self.folder / f"{len(images)}.png"
            self.run_program("semantic_segmentation.py", model, "--output", str(out))
            images.append(np.asarray(Image.open(out)))
        masks = [image[:, image.shape[1] // 2:] for image in images]
        # Factors of layers have 24 bits in the compiled model, 31 in its source: at the edges of regions, where two
        # classes are nearly equal, the greater one is the other.
        different = (masks[0] != masks[1]).any(-1).mean()
        self.assertLessEqual(different, 0.005, f"{different:.4%} of the pixels have another class")

    def test_detect_image(self):
        rings(self.folder / "picture.png")
        found = [objects(self.run_program("detect_image.py", DETECTOR / name, "--count", "1", "--threshold", "0.4"))
                 for name in ("edgetpu.tflite", "detect_quant.tflite")]
        for one in found:
            self.assertEqual([0, 0], one[:, 0].tolist())  # both rings, and nothing else
            for box, (left, top) in zip(one[:, 2:], ((110, 140), (240, 230))):
                self.assertTrue(box[0] < left < box[2] and box[1] < top < box[3], box)
        # Factors of layers have 24 bits in the compiled model: scores are steps of 1/256 apart, edges a pixel.
        apart = np.abs(found[0] - found[1])
        self.assertLessEqual(apart[:, 1].max(), 3 / 256)
        self.assertLessEqual(apart[:, 2:].max(), 2)


if __name__ == "__main__":
    main()
