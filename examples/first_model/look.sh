picus show croquet.h5
picus plot croquet.h5 --overview
picus plot croquet.h5 nodes/ball/velocity "contacts/*/gap" --out ball.png
picus export croquet.h5 --html
